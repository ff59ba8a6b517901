package countersign

import (
	"context"
	"crypto/ed25519"
	"encoding/base64"
	"encoding/json"
	"errors"
	"strings"
	"time"
)

// ReceiptChecks say who has to have answered whom, and what. Of ApprovalID, Content and ContentHash, one has to be set.
type ReceiptChecks struct {
	// Issuer is the service's address, exactly as in the receipt.
	Issuer string
	// Audience is the client id of the app that asked.
	Audience string
	// Owner is the id of the owner whose answer counts.
	Owner string
	// ApprovalID is the approval that was asked, as whoever checks remembers it: an agent that brings a receipt brings any id.
	ApprovalID string
	// Content is what is about to be done, as it was asked: whatever [ContentHash] takes.
	Content any
	// ContentHash is the hash of that.
	ContentHash string
	// Keys are the service's; read from their usual place below Issuer, and kept for five minutes, unless set.
	Keys *KeySet
	// AcceptWithoutOwner takes what was signed before receipts named the owner, and so proves nobody's answer.
	AcceptWithoutOwner bool
	// AllowSimulated takes what a simulated owner answered, in tests.
	AllowSimulated bool
}

// Receipt is what a receipt says: who answered which question of which app, and how.
type Receipt struct {
	Issuer   string
	Audience string
	// Owner is who answered; empty in what was signed before receipts named them.
	Owner      string
	ApprovalID string
	// IssuedAt is when it was signed.
	IssuedAt    time.Time
	ContentHash string
	Resolution  Resolution
	// Simulated is whether no owner answered.
	Simulated bool
	// Claims are all of it, as signed.
	Claims map[string]json.RawMessage
}

// Yes is whether the owner chose this option.
func (r Receipt) Yes(optionID string) bool { return r.Resolution.chose(optionID) }

// VerifyReceipt gives what a receipt proves, without asking the service anything but its public keys.
//
// It proves an answer, not which one: go on only with [Receipt.Yes]. An action that may happen once keeps the ids it has seen. It fails with a
// [VerificationError], which says why, and with another error for checks that are missing.
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
		// What is not a string is not the one that is wanted.
		_ = json.Unmarshal(claims[name], &value)
		return value
	}
	_, named := claims["owner"]
	for _, it := range wanted {
		if it.claim == "owner" && !named && checks.AcceptWithoutOwner {
			continue
		}
		if text(it.claim) != it.value {
			return nil, notProven("it has another " + it.claim)
		}
	}
	receipt := &Receipt{
		Issuer: text("iss"), Audience: text("aud"), Owner: text("owner"), ApprovalID: text("sub"), ContentHash: text("contentHash"), Claims: claims,
	}
	if given := claims["resolution"]; !strings.HasPrefix(string(given), "{") || json.Unmarshal(given, &receipt.Resolution) != nil {
		return nil, notProven("it holds no answer")
	}
	var issued float64
	_ = json.Unmarshal(claims["iat"], &issued)
	receipt.IssuedAt = time.Unix(int64(issued), 0)
	switch string(claims["simulated"]) {
	case "", "false", "null":
		// What named no owner yet said so in the note alone.
		receipt.Simulated = !named && receipt.Resolution.simulated()
	default:
		receipt.Simulated = true
	}
	if receipt.Simulated && !checks.AllowSimulated {
		return nil, notProven("a simulated owner answered, and AllowSimulated is off")
	}
	return receipt, nil
}

type wantedClaim struct{ claim, value string }

// wanted are the claims that have to be so. What is missing is a mistake, never a check to leave out.
func (c ReceiptChecks) wanted() ([]wantedClaim, error) {
	if c.Issuer == "" || c.Audience == "" || c.Owner == "" {
		return nil, errors.New("countersign: Issuer, Audience and Owner must be set")
	}
	if c.ApprovalID == "" && c.Content == nil && c.ContentHash == "" {
		return nil, errors.New("countersign: one of ApprovalID, Content and ContentHash must be set")
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

// opened are the claims of a receipt that one of the service's keys signed.
func opened(ctx context.Context, jws string, checks ReceiptChecks) (map[string]json.RawMessage, error) {
	malformed := notProven("it is not a compact JWS")
	parts := strings.Split(jws, ".")
	if len(parts) != 3 {
		return nil, malformed
	}
	// By their exact names: a struct would take ALG for alg.
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
		return nil, notProven("it is not signed with EdDSA")
	}
	if string(header["typ"]) != `"countersign-receipt+jwt"` {
		return nil, notProven("it is not a receipt")
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
	if !ed25519.Verify(key, []byte(parts[0]+"."+parts[1]), signature) {
		return nil, notProven("the signature is wrong")
	}
	return claims, nil
}
