package countersign

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"
)

// SignedAnswerChecks are the values that a signed answer must have. Take every value from your own
// records, never from the answer. Set Content, ContentHash or both.
type SignedAnswerChecks struct {
	// Issuer is the service's URL, exactly as in the statement.
	Issuer string
	// Owner is the ID of the owner whose answer counts.
	Owner string
	// App is the client ID of the app that asked.
	App string
	// ApprovalID is the approval's ID.
	ApprovalID string
	// Keys are the owner's passkeys that you pinned, from [Client.OwnerKeys].
	Keys []OwnerKey
	// Content is the question for the action that you are about to take: any value that [ContentHash] accepts.
	Content any
	// ContentHash is the hash of the content.
	ContentHash string
	// RPID is the RP ID of the passkeys. The default is the host of Issuer.
	RPID string
	// Origins are the origins of the pages on which the owner may sign. The default is the origin of Issuer.
	Origins []string
	// AskedAt is when you asked. A passkey that was added later is rejected, because the operator of the
	// service may have added it. It is required unless AcceptNewKeys is set.
	AskedAt time.Time
	// AcceptNewKeys accepts passkeys that were added after the question.
	AcceptNewKeys bool
	// LastCounter is the last counter that you stored for this passkey. After a counter above 0, only a
	// higher one is accepted, because a copy of the passkey may have signed.
	LastCounter uint32
}

// SignedAnswer is an answer that the owner's passkey signed.
type SignedAnswer struct {
	// CredentialID is the ID of the passkey.
	CredentialID string
	// Synced is whether the passkey can be synced to other devices of the owner.
	Synced bool
	// Counter is the passkey's signature counter. Store it as the next LastCounter.
	Counter uint32
	// OfferedAt is when the service offered the statement for signing.
	OfferedAt Millis
	// Resolution is the answer.
	Resolution Resolution
}

// Yes reports whether the owner chose this option.
func (s SignedAnswer) Yes(optionID string) bool { return s.Resolution.chose(optionID) }

// YesWith reports whether the owner chose this option with exactly these values: all values of the
// intended action by field name, as a map or a struct that encoding/json can write.
func (s SignedAnswer) YesWith(optionID string, values any) bool {
	return s.Yes(optionID) && s.Resolution.Values.same(values)
}

// VerifySignedAnswer verifies that the owner's passkey signed exactly this answer. It needs no
// network.
//
// The proof depends only on the owner's pinned keys, and not on the service or its operator. A valid
// signature can be of any answer: proceed only with [SignedAnswer.Yes]. If the option takes fields,
// use [SignedAnswer.YesWith] with the values of the intended action. Before an action that may
// happen only once, call [Approvals.Use]. It returns a [VerificationError] with the reason, or
// another error if SignedAnswerChecks lacks a required value.
func VerifySignedAnswer(resolution Resolution, checks SignedAnswerChecks) (*SignedAnswer, error) {
	issuer, hashes, err := checks.required()
	if err != nil {
		return nil, err
	}
	if resolution.ResolvedBy != "owner" {
		return nil, notProven("the owner did not give this answer")
	}
	signature := resolution.Signature
	if signature == nil {
		return nil, notProven("the answer has no signature of a passkey")
	}
	statement, err := parseStatement(signature.Statement)
	if err != nil {
		return nil, err
	}
	for _, it := range []struct{ name, wanted string }{{"issuer", checks.Issuer}, {"owner", checks.Owner}, {"app", checks.App}} {
		if string(statement.members[it.name]) != quoted(it.wanted) {
			return nil, notProven("the signed statement's " + it.name + " does not match the expected value")
		}
	}
	for _, hash := range hashes {
		if err := statement.check(resolution, checks.ApprovalID, hash); err != nil {
			return nil, err
		}
	}
	key, err := checks.key(signature.CredentialID, statement.offeredAt)
	if err != nil {
		return nil, err
	}
	expected := expectedAssertion{sha256.Sum256([]byte(signature.Statement)), checks.Origins, checks.RPID, key.PublicKey}
	if expected.origins == nil {
		expected.origins = []string{originOf(issuer)}
	}
	if expected.rpID == "" {
		expected.rpID = hostOf(issuer)
	}
	counter, synced, err := verifyAssertion(*signature, expected)
	if err != nil {
		return nil, err
	}
	if checks.LastCounter != 0 && counter <= checks.LastCounter {
		return nil, notProven("the passkey's counter did not increase, so a copy of the passkey may have signed")
	}
	return &SignedAnswer{key.CredentialID, synced, counter, statement.offeredAt, resolution}, nil
}

// required returns the parsed issuer and the expected hashes of the content. A missing check is an
// error, and is never skipped.
func (c SignedAnswerChecks) required() (*url.URL, []string, error) {
	if c.Issuer == "" || c.Owner == "" || c.App == "" || c.ApprovalID == "" {
		return nil, nil, errors.New("countersign: Issuer, Owner, App and ApprovalID must be set")
	}
	if c.Content == nil && c.ContentHash == "" {
		return nil, nil, errors.New("countersign: at least one of Content or ContentHash must be set")
	}
	if c.AskedAt.IsZero() && !c.AcceptNewKeys {
		return nil, nil, errors.New("countersign: AskedAt or AcceptNewKeys must be set")
	}
	issuer, err := url.Parse(c.Issuer)
	if err != nil {
		return nil, nil, fmt.Errorf("countersign: %w", err)
	}
	var hashes []string
	if c.ContentHash != "" {
		hashes = append(hashes, c.ContentHash)
	}
	if c.Content != nil {
		hash, err := ContentHash(c.Content)
		if err != nil {
			return nil, nil, err
		}
		hashes = append(hashes, hash)
	}
	return issuer, hashes, nil
}

// key returns the owner's key that may have signed a statement at this time.
func (c SignedAnswerChecks) key(credentialID string, offeredAt Millis) (OwnerKey, error) {
	at := slices.IndexFunc(c.Keys, func(it OwnerKey) bool { return it.CredentialID == credentialID })
	if at < 0 {
		return OwnerKey{}, notProven("the passkey is not one of the owner's keys")
	}
	key := c.Keys[at]
	if !c.AcceptNewKeys && key.Since > At(c.AskedAt) {
		return OwnerKey{}, notProven("the passkey was added after the question was asked")
	}
	// Anyone who has a removed passkey can sign an earlier time, so the verifier's own time counts too.
	if key.Until != 0 && (key.Until <= offeredAt || !c.AskedAt.IsZero() && key.Until <= At(c.AskedAt)) {
		return OwnerKey{}, notProven("the passkey was removed before the answer")
	}
	return key, nil
}

// hostOf returns a URL's host in lower case, as browsers write it.
func hostOf(it *url.URL) string { return strings.ToLower(it.Hostname()) }

// originOf returns a URL's origin as browsers write it.
func originOf(it *url.URL) string {
	host := hostOf(it)
	if port := it.Port(); port != "" && port != map[string]string{"https": "443", "http": "80"}[it.Scheme] {
		host += ":" + port
	}
	return it.Scheme + "://" + host
}
