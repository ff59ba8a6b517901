package countersign

import (
	"context"
	"crypto/ed25519"
	"encoding/base64"
	"encoding/json"
	"errors"
	"math"
	"strings"
	"time"
)

// ReceiptChecks are the values that a receipt must have. Set at least one of ApprovalID, Content and ContentHash.
type ReceiptChecks struct {
	// Issuer is the service's URL, exactly as in the receipt.
	Issuer string
	// Audience is the client ID of the app that asked.
	Audience string
	// Owner is the ID of the owner whose answer counts.
	Owner string
	// ApprovalID is the approval's ID from your own records. Never take it from an agent that provides the receipt.
	ApprovalID string
	// Content is the question for the action that you are about to take: any value that [ContentHash] accepts.
	Content any
	// ContentHash is the hash of the content.
	ContentHash string
	// Keys are the service's keys. By default they are read from the default URL below Issuer, and
	// cached for five minutes.
	Keys *KeySet
	// AcceptWithoutOwner accepts older receipts, which do not name the owner. Such a receipt does not
	// prove whose answer it is.
	AcceptWithoutOwner bool
	// AllowSimulated accepts the answers of a simulated owner, for tests.
	AllowSimulated bool
	// ReceivedAt is when you got a stored receipt, from your own records. Never take the time from the
	// receipt or from an agent. With it, the receipt stays valid even if the service later revokes its
	// key.
	ReceivedAt time.Time
}

// Receipt has the claims of a receipt: who answered which question of which app, and how.
type Receipt struct {
	Issuer   string
	Audience string
	// Owner is the ID of the owner who answered. It is empty in older receipts.
	Owner      string
	ApprovalID string
	// IssuedAt is when the approval was resolved. The service signs a receipt later, whenever it is read.
	IssuedAt    time.Time
	ContentHash string
	Resolution  Resolution
	// Simulated is whether a simulated owner answered.
	Simulated bool
	// Claims are all signed claims.
	Claims map[string]json.RawMessage
}

// Yes reports whether the owner chose this option.
func (r Receipt) Yes(optionID string) bool { return r.Resolution.chose(optionID) }

// YesWith reports whether the owner chose this option with exactly these values: all values of the
// intended action by field name, as a map or a struct that encoding/json can write.
func (r Receipt) YesWith(optionID string, values any) bool {
	return r.Yes(optionID) && r.Resolution.Values.same(values)
}

// VerifyReceipt verifies a receipt offline, with the service's public keys.
//
// A receipt proves an answer, but not a particular option: proceed only with [Receipt.Yes]. If the
// option takes fields, use [Receipt.YesWith] with the values of the intended action. Before an action
// that may happen only once, call [Approvals.Use]. It returns a [VerificationError] with the reason, or
// another error if ReceiptChecks lacks a required value.
func VerifyReceipt(ctx context.Context, jws string, checks ReceiptChecks) (*Receipt, error) {
	wanted, err := checks.wanted()
	if err != nil {
		return nil, err
	}
	claims, err := opened(ctx, jws, checks)
	if err != nil {
		return nil, err
	}
	text := func(name string) (value string) {
		// A claim that is not a string never matches.
		_ = json.Unmarshal(claims[name], &value)
		return value
	}
	_, named := claims["owner"]
	for _, it := range wanted {
		if it.claim == "owner" && !named && checks.AcceptWithoutOwner {
			continue
		}
		if text(it.claim) != it.value {
			return nil, notProven("the receipt's claim " + it.claim + " does not match the expected value")
		}
	}
	receipt := &Receipt{
		Issuer: text("iss"), Audience: text("aud"), Owner: text("owner"), ApprovalID: text("sub"), ContentHash: text("contentHash"), Claims: claims,
	}
	if given := claims["resolution"]; !strings.HasPrefix(string(given), "{") || json.Unmarshal(given, &receipt.Resolution) != nil {
		return nil, notProven("the receipt has no answer")
	}
	var issued float64
	_ = json.Unmarshal(claims["iat"], &issued)
	receipt.IssuedAt = time.Unix(int64(issued), 0)
	switch string(claims["simulated"]) {
	case "", "false", "null":
		// Older receipts, which do not name an owner, mark a simulated answer only in the note.
		receipt.Simulated = !named && receipt.Resolution.simulated()
	default:
		receipt.Simulated = true
	}
	if receipt.Simulated && !checks.AllowSimulated {
		return nil, notProven("a simulated owner answered, but AllowSimulated is not true")
	}
	return receipt, nil
}

type wantedClaim struct{ claim, value string }

// wanted are the required claims. A missing check is an error, and is never skipped.
func (c ReceiptChecks) wanted() ([]wantedClaim, error) {
	if c.Issuer == "" || c.Audience == "" || c.Owner == "" {
		return nil, errors.New("countersign: Issuer, Audience and Owner must be set")
	}
	if c.ApprovalID == "" && c.Content == nil && c.ContentHash == "" {
		return nil, errors.New("countersign: at least one of ApprovalID, Content or ContentHash must be set")
	}
	all := []wantedClaim{{"iss", c.Issuer}, {"aud", c.Audience}, {"owner", c.Owner}}
	if c.ApprovalID != "" {
		all = append(all, wantedClaim{"sub", c.ApprovalID})
	}
	if c.ContentHash != "" {
		all = append(all, wantedClaim{"contentHash", c.ContentHash})
	}
	if c.Content != nil {
		hash, err := ContentHash(c.Content)
		if err != nil {
			return nil, err
		}
		all = append(all, wantedClaim{"contentHash", hash})
	}
	return all, nil
}

// opened returns the claims of a receipt after it has verified the signature with one of the service's keys.
func opened(ctx context.Context, jws string, checks ReceiptChecks) (map[string]json.RawMessage, error) {
	malformed := notProven("the receipt is not a compact JWS")
	parts := strings.Split(jws, ".")
	if len(parts) != 3 {
		return nil, malformed
	}
	// Decode by exact names, because a struct would accept ALG as alg.
	var decoded [2]map[string]json.RawMessage
	for i := range decoded {
		text, err := base64.RawURLEncoding.Strict().DecodeString(parts[i])
		if err != nil || json.Unmarshal(text, &decoded[i]) != nil || decoded[i] == nil {
			return nil, malformed
		}
	}
	header, claims := decoded[0], decoded[1]
	signature, err := base64.RawURLEncoding.Strict().DecodeString(parts[2])
	if err != nil {
		return nil, malformed
	}
	if _, critical := header["crit"]; critical || string(header["alg"]) != `"EdDSA"` {
		return nil, notProven("the receipt is not signed with EdDSA")
	}
	if string(header["typ"]) != `"countersign-receipt+jwt"` {
		return nil, notProven("the token is not a receipt")
	}
	keys := checks.Keys
	if keys == nil {
		keys = keysOf(checks.Issuer)
	}
	var id string
	_ = json.Unmarshal(header["kid"], &id)
	key, err := keys.find(ctx, id)
	if err != nil {
		return nil, err
	}
	if err := key.checkRevocation(checks.ReceivedAt); err != nil {
		return nil, err
	}
	if !ed25519.Verify(key.public, []byte(parts[0]+"."+parts[1]), signature) {
		return nil, notProven("the receipt's signature is invalid")
	}
	answered := math.Inf(1)
	// Without a valid time, the receipt is later than any end.
	_ = json.Unmarshal(claims["iat"], &answered)
	if err := key.checkTimes(answered, checks.ReceivedAt); err != nil {
		return nil, err
	}
	return claims, nil
}
