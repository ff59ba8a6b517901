// Package countersign asks a person before your program acts.
//
// A [Client] asks the owner of a Countersign service and waits for the answer:
//
//	client, err := countersign.New(countersign.Config{})
//	if err != nil {
//		log.Fatal(err)
//	}
//	answer, err := client.Ask(ctx, countersign.ApprovalRequest{
//		Question: "Ship build 418?",
//		Options:  []countersign.Option{{ID: "ship", Label: "Ship now"}, {ID: "wait", Label: "Wait"}},
//	})
//	if err == nil && answer.Yes("ship") {
//		ship()
//	}
//
// Every call that changes something has an Idempotency-Key, so it is safe to retry, and is retried while the service is
// unavailable. [VerifyWebhook], [VerifyReceipt] and [VerifySignedAnswer] check webhooks, receipts and
// answers that the owner's passkey signed.
package countersign

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"
	"time"
)

// Config configures a [Client]. Its zero value reads the environment.
type Config struct {
	// BaseURL is the service's URL, like https://yes.example.com. The default is COUNTERSIGN_URL.
	BaseURL string
	// Token is an access token or a personal token. The default is COUNTERSIGN_TOKEN.
	Token string
	// TokenSource provides a token that changes, instead of Token. If the service rejects a token,
	// TokenSource is called once more with that token in refused. Otherwise, refused is empty.
	TokenSource func(ctx context.Context, refused string) (string, error)
	// HTTPClient is your own client. The package disables redirects, because the token must not go to
	// another address.
	HTTPClient *http.Client
	// Timeout limits each response, in addition to the requested wait. The default is 20 seconds.
	Timeout time.Duration
	// Patience is how long to retry while the service is unavailable. The default is one minute, and a
	// negative value disables retries.
	Patience time.Duration
	// OnRetry is called before the pause of each retry, for example to log it.
	OnRetry func(Retry)
	// AllowSimulated lets [Answer.Yes] accept answers from "countersign simulate". It is for tests
	// only. It is also on if COUNTERSIGN_ALLOW_SIMULATED is 1 in the environment.
	AllowSimulated bool
}

// Version is the version of this module.
const Version = "0.1.0"

// Client calls one service as one app. It is safe for concurrent use.
type Client struct {
	// Approvals are this app's questions to its owner.
	Approvals *Approvals
	// Notifications are this app's messages to its owner.
	Notifications *Notifications
	// Integrations are the owner's linked accounts.
	Integrations *Integrations

	calls *calls
}

// New creates a client. It returns an error if the URL or the token is missing. It sends nothing yet.
func New(config Config) (*Client, error) {
	if config.BaseURL == "" {
		config.BaseURL = os.Getenv("COUNTERSIGN_URL")
	}
	if config.Token == "" {
		config.Token = os.Getenv("COUNTERSIGN_TOKEN")
	}
	if config.BaseURL == "" {
		return nil, errors.New("countersign: the service address is missing; set BaseURL or COUNTERSIGN_URL")
	}
	if config.Token == "" && config.TokenSource == nil {
		return nil, errors.New("countersign: the token is missing; set Token or COUNTERSIGN_TOKEN")
	}
	config.BaseURL = strings.TrimRight(config.BaseURL, "/")
	if base, err := url.Parse(config.BaseURL); err != nil || base.Host == "" {
		return nil, fmt.Errorf("countersign: %q is not an address like https://yes.example.com", config.BaseURL)
	}
	if os.Getenv("COUNTERSIGN_ALLOW_SIMULATED") == "1" {
		config.AllowSimulated = true
	}
	if config.Timeout <= 0 {
		config.Timeout = 20 * time.Second
	}
	if config.Patience == 0 {
		config.Patience = time.Minute
	}
	client := http.Client{}
	if config.HTTPClient != nil {
		client = *config.HTTPClient
	}
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	config.HTTPClient = &client

	calls := &calls{config}
	return &Client{&Approvals{calls}, &Notifications{calls}, &Integrations{calls}, calls}, nil
}

// Ask asks, and waits for the answer until ctx is done. It survives restarts of the service and broken connections, and
// never asks twice. With the same [ApprovalRequest.Key] within 24 hours, a restarted program does not ask again either.
//
// It returns a [NoAnswerError] when ctx is done or the question's deadline passes, and an [Error] when the service rejects the
// request.
func (c *Client) Ask(ctx context.Context, question ApprovalRequest, options ...WaitOption) (*Answer, error) {
	var created struct{ ID string }
	if err := c.calls.json(ctx, submission(question, forever), &created); err != nil {
		return nil, unlessLate(ctx, "", err)
	}
	how := waiting(options)
	if how.onAsked != nil {
		how.onAsked(created.ID)
	}
	return c.Approvals.wait(ctx, created.ID, how)
}

// Freeze freezes this app's access to the owner, for example after an attack. Every later call fails with the reason "frozen"
// until the owner ends the freeze.
func (c *Client) Freeze(ctx context.Context) error {
	var done struct{ OK bool }
	err := c.calls.json(ctx, call{method: http.MethodPost, path: "/api/freeze", body: struct{}{}, key: keyOr("")}, &done)
	var refused *Error
	if errors.As(err, &refused) && slices.ContainsFunc(refused.Details, func(it Detail) bool { return it.Reason == "frozen" }) {
		// A retry finds that the first attempt froze the app.
		return nil
	}
	return err
}

// OwnerKeys returns the owner's passkeys, including removed ones. Pin them, and pass them to [VerifySignedAnswer].
func (c *Client) OwnerKeys(ctx context.Context) (*OwnerKeys, error) {
	keys := &OwnerKeys{}
	if err := c.calls.json(ctx, call{method: http.MethodGet, path: "/api/owner/keys"}, keys); err != nil {
		return nil, err
	}
	return keys, nil
}

// Events iterates over events after the given one, or from the oldest, until ctx is done. Store the
// ID of the last event that you handled, and pass it next time, so that no event is skipped.
func (c *Client) Events(ctx context.Context, after string) iter.Seq2[*Event, error] {
	return func(yield func(*Event, error) bool) {
		for {
			var page struct {
				Data       []*Event
				NextCursor string
			}
			query := map[string]string{"after": after, "wait": "60"}
			reading := call{method: http.MethodGet, path: "/api/events", query: query, waits: longestWait, patience: forever}
			if err := c.calls.json(ctx, reading, &page); err != nil {
				yield(nil, err)
				return
			}
			for _, event := range page.Data {
				if !yield(event, nil) {
					return
				}
			}
			after = page.NextCursor
		}
	}
}
