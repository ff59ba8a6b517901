package countersign

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
	"unicode"
)

// GuardOptions configure [Client.Guard]. The zero value is useful.
type GuardOptions struct {
	// Option is the ID of the option that permits the action. The default is approve.
	Option string
	// Issuer is the service's URL in the receipt. The default is the client's URL.
	Issuer string
	// Audience is the client ID in the receipt. The default is the app that asked.
	Audience string
	// Owner is the ID of the owner whose answer counts. The default is the owner that the receipt names.
	Owner string
	// Keys verify the receipt. The default are the keys that the service publishes.
	Keys *KeySet
	// Allowed receives the values that the owner allowed, before the answer is used. An error stops the action.
	Allowed func(Values) error
	// Wait configures the wait for the answer.
	Wait []WaitOption
}

// Guard performs an action only with the owner's approval, and at most once: it asks, verifies the
// receipt, uses the answer, runs work, and reports the outcome. If the program ends after the answer
// was used, the next start does not run work again.
//
// The question must have the Option, and a Key, which identifies the action. A program that restarts within 24 hours
// with the same key waits for the same answer.
//
// Guard returns a [NotRunError] if the owner did not approve, or if the answer was withdrawn or
// already used. It returns a [NoAnswerError], a [VerificationError] or an [Error] if the approval
// could not be determined, and otherwise the error of work.
func (c *Client) Guard(ctx context.Context, question ApprovalRequest, options GuardOptions, work func(context.Context) error) error {
	if question.Key == "" {
		return errors.New("countersign: the guarded action must have a Key")
	}
	if options.Option == "" {
		options.Option = "approve"
	}
	if !slices.ContainsFunc(question.Options, func(it Option) bool { return it.ID == options.Option }) {
		return errors.New("countersign: the question has no option " + options.Option + ": set Option to the ID that permits the action")
	}
	id, err := c.Approvals.Create(ctx, question)
	if err != nil {
		return err
	}
	answer, err := c.Approvals.Wait(ctx, id, options.Wait...)
	if err != nil {
		return err
	}
	if answer.Chosen != options.Option {
		return &NotRunError{ID: id, Message: "the owner did not approve this action"}
	}
	hash, values, err := c.prove(ctx, id, question, options)
	if err != nil {
		return err
	}
	if options.Allowed != nil {
		if err := options.Allowed(values); err != nil {
			return err
		}
	}
	if err := c.begin(ctx, id, hash, values); err != nil {
		return err
	}
	failure := work(ctx)
	outcome := OutcomeRequest{Status: "done"}
	if failure != nil {
		outcome = OutcomeRequest{Status: "failed", Text: plain(failure.Error())}
	}
	// The action has run, so its outcome is reported even if ctx is done. A failed report must not look
	// like a failed action.
	reporting, cancel := context.WithTimeout(context.WithoutCancel(ctx), max(c.calls.config.Patience, time.Second))
	defer cancel()
	_ = c.Approvals.Report(reporting, id, outcome)
	return failure
}

const mayHaveRun = "an earlier attempt at this action may have taken effect, so the action was not run again"
const withdrawn = "the owner withdrew the approval of this action"

// prove verifies that the receipt is the owner's choice of the option for exactly this question, and
// returns the content hash and the allowed values.
func (c *Client) prove(ctx context.Context, id string, question ApprovalRequest, options GuardOptions) (string, Values, error) {
	approval, err := c.Approvals.Get(ctx, id)
	if err != nil {
		return "", nil, err
	}
	if approval.WithdrawnAt != 0 {
		return "", nil, &NotRunError{ID: id, Message: withdrawn}
	}
	if approval.Outcome != nil || approval.UsedAt != 0 {
		return "", nil, &NotRunError{ID: id, Message: mayHaveRun}
	}
	jws, err := c.Approvals.Receipt(ctx, id)
	if err != nil {
		return "", nil, err
	}
	config := c.calls.config
	checks := ReceiptChecks{
		Issuer: options.Issuer, Audience: options.Audience, Owner: options.Owner, Keys: options.Keys,
		ApprovalID: id, AllowSimulated: config.AllowSimulated,
		Content: struct {
			ApprovalRequest
			Additions []Said `json:"additions,omitempty"`
		}{question, approval.Additions},
	}
	if checks.Issuer == "" {
		// New has parsed the URL.
		base, _ := url.Parse(config.BaseURL)
		checks.Issuer = base.Scheme + "://" + base.Host
	}
	if checks.Audience == "" {
		checks.Audience = approval.ClientID
	}
	if checks.Owner == "" {
		checks.Owner = claimedOwner(jws)
	}
	if checks.Keys == nil {
		checks.Keys = NewKeySet(config.BaseURL+"/.well-known/jwks.json", config.HTTPClient)
	}
	receipt, err := VerifyReceipt(ctx, jws, checks)
	if err != nil {
		return "", nil, err
	}
	if !receipt.Yes(options.Option) {
		return "", nil, notProven("the receipt does not contain the expected answer")
	}
	return receipt.ContentHash, receipt.Resolution.Values, nil
}

// begin uses the answer with a new key, and reports to the owner that the action has started.
func (c *Client) begin(ctx context.Context, id, contentHash string, values Values) error {
	_, err := c.Approvals.Use(ctx, id, UseRequest{ContentHash: contentHash, Values: values})
	var refused *Error
	if errors.As(err, &refused) && refused.Status == http.StatusConflict {
		for _, detail := range refused.Details {
			switch detail.Reason {
			case "used":
				return &NotRunError{ID: id, Message: mayHaveRun, cause: err}
			case "withdrawn":
				return &NotRunError{ID: id, Message: withdrawn, cause: err}
			}
		}
	}
	if err != nil {
		return err
	}
	// The answer is used, so a failed report must not stop the action.
	_ = c.Approvals.Report(ctx, id, OutcomeRequest{Status: "started"})
	return nil
}

// claimedOwner returns the owner that a receipt names, before any verification.
func claimedOwner(jws string) string {
	var claims struct{ Owner string }
	if parts := strings.Split(jws, "."); len(parts) == 3 {
		text, _ := base64.RawURLEncoding.DecodeString(parts[1])
		_ = json.Unmarshal(text, &claims)
	}
	if claims.Owner == "" {
		// VerifyReceipt rejects a receipt without an owner.
		return "unknown"
	}
	return claims.Owner
}

// plain is a text without control characters, with at most 1,000 characters.
func plain(text string) string {
	letters := []rune(strings.Map(func(each rune) rune {
		if each != '\n' && unicode.In(each, unicode.C) {
			return ' '
		}
		return each
	}, text))
	return strings.TrimSpace(string(letters[:min(len(letters), 1_000)]))
}
