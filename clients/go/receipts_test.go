package countersign

import (
	"context"
	"crypto/ed25519"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

var (
	public, private, _ = ed25519.GenerateKey(nil)
	jwks               = fmt.Sprintf(`{"keys":[{"kty":"EC","crv":"P-256","kid":"k0","x":"AA"},%s]}`, jwk("k1", public))
	wiping             = ApprovalRequest{Question: "Wipe?", Options: options, OwnerOnly: true}
)

func jwk(id string, key ed25519.PublicKey) string {
	return fmt.Sprintf(`{"kty":"OKP","crv":"Ed25519","kid":%q,"x":%q}`, id, base64.RawURLEncoding.EncodeToString(key))
}

type fields map[string]any

// signed is a receipt with these header fields and claims instead of the valid ones. A nil value
// omits the field.
func signed(key ed25519.PrivateKey, header, claims fields) string {
	hash, _ := ContentHash(wiping)
	part := func(good, other fields) string {
		for name, value := range other {
			good[name] = value
			if value == nil {
				delete(good, name)
			}
		}
		text, _ := json.Marshal(good)
		return base64.RawURLEncoding.EncodeToString(text)
	}
	head := part(fields{"alg": "EdDSA", "typ": "countersign-receipt+jwt", "kid": "k1"}, header)
	said := part(fields{
		"iss": "https://yes.example.com", "aud": "app_1", "owner": "own_1", "sub": "apr_1", "contentHash": hash,
		// The receipt's time is ahead of our clock, which does not invalidate the answer.
		"iat":        4_000_000_000,
		"resolution": fields{"kind": "option", "optionId": "yes", "resolvedBy": "owner", "resolvedAt": 1},
	}, claims)
	return head + "." + said + "." + base64.RawURLEncoding.EncodeToString(ed25519.Sign(key, []byte(head+"."+said)))
}

func checks() ReceiptChecks {
	keys, err := ParseKeySet([]byte(jwks))
	if err != nil {
		panic(err)
	}
	return ReceiptChecks{
		Issuer: "https://yes.example.com", Audience: "app_1", Owner: "own_1", ApprovalID: "apr_1", Content: wiping, Keys: keys,
	}
}

func TestVerifiesAReceipt(t *testing.T) {
	receipt, err := VerifyReceipt(ctx, signed(private, nil, nil), checks())
	if err != nil {
		t.Fatal(err)
	}
	equal(t, receipt.Yes("yes"), true)
	equal(t, receipt.Yes("no"), false)
	equal(t, receipt.Owner+" "+receipt.ApprovalID, "own_1 apr_1")
	equal(t, receipt.IssuedAt.Unix(), 4_000_000_000)
	byApp := fields{"resolution": fields{"kind": "option", "optionId": "yes", "resolvedBy": "api", "resolvedAt": 1}}
	receipt, err = VerifyReceipt(ctx, signed(private, nil, byApp), checks())
	equal(t, err, nil)
	equal(t, receipt.Yes("yes"), false)
}

func TestRejectsAnInvalidReceipt(t *testing.T) {
	_, other, _ := ed25519.GenerateKey(nil)
	good := signed(private, nil, nil)
	half := strings.Split(good, ".")
	for _, it := range []struct{ jws, why string }{
		{signed(private, nil, fields{"iss": "https://evil.example"}), "iss does not match"},
		{signed(private, nil, fields{"aud": "app_2"}), "aud does not match"},
		{signed(private, nil, fields{"aud": []string{"app_1"}}), "aud does not match"},
		{signed(private, nil, fields{"owner": "own_2"}), "owner does not match"},
		{signed(private, nil, fields{"owner": nil}), "owner does not match"},
		{signed(private, nil, fields{"sub": "apr_2"}), "sub does not match"},
		{signed(private, nil, fields{"sub": nil, "SUB": "apr_1"}), "sub does not match"},
		{signed(private, nil, fields{"contentHash": "sha256:00"}), "contentHash does not match"},
		{signed(private, nil, fields{"simulated": true}), "simulated"},
		{signed(private, nil, fields{"resolution": nil}), "no answer"},
		{signed(private, nil, fields{"resolution": "yes"}), "no answer"},
		{signed(private, fields{"typ": "JWT"}, nil), "not a receipt"},
		{signed(private, fields{"typ": nil}, nil), "not a receipt"},
		{signed(private, fields{"kid": "k2"}, nil), "does not publish"},
		{signed(private, fields{"kid": "k0"}, nil), "does not publish"},
		{signed(private, fields{"alg": "none"}, nil), "EdDSA"},
		{signed(private, fields{"alg": nil, "ALG": "EdDSA"}, nil), "EdDSA"},
		{signed(private, fields{"crit": []string{"exp"}}, nil), "EdDSA"},
		{signed(other, nil, nil), "signature"},
		{half[0] + "." + half[1] + ".", "signature"},
		{half[0] + "." + half[1], "compact"},
		{good + "=", "compact"},
		{"not.a.receipt", "compact"},
		{"bnVsbA.bnVsbA.AA", "compact"},
		{"", "compact"},
	} {
		receipt, err := VerifyReceipt(ctx, it.jws, checks())
		var refused *VerificationError
		if !errors.As(err, &refused) || !strings.Contains(refused.Reason, it.why) || receipt != nil {
			t.Errorf("%v, want %s", err, it.why)
		}
	}
}

func TestAppliesEachReceiptCheck(t *testing.T) {
	try := func(claims fields, change func(*ReceiptChecks)) error {
		it := checks()
		change(&it)
		_, err := VerifyReceipt(ctx, signed(private, nil, claims), it)
		return err
	}
	anonymous := fields{"owner": nil}
	simulated := fields{"owner": nil, "resolution": fields{"kind": "other", "otherText": "No", "note": "Simulated: rule 1", "resolvedBy": "owner"}}
	equal(t, try(fields{"simulated": true}, func(it *ReceiptChecks) { it.AllowSimulated = true }), nil)
	equal(t, try(anonymous, func(it *ReceiptChecks) { it.AcceptWithoutOwner = true }), nil)
	for why, err := range map[string]error{
		"owner does not match": try(fields{"owner": "own_2"}, func(it *ReceiptChecks) { it.AcceptWithoutOwner = true }),
		"simulated":            try(simulated, func(it *ReceiptChecks) { it.AcceptWithoutOwner = true }),
		"must be set":          try(nil, func(it *ReceiptChecks) { it.Owner = "" }),
		"one of":               try(nil, func(it *ReceiptChecks) { it.ApprovalID, it.Content = "", nil }),
		"must have a question": try(nil, func(it *ReceiptChecks) { it.Content = ApprovalRequest{} }),
		"contentHash":          try(nil, func(it *ReceiptChecks) { it.Content = ApprovalRequest{Question: "Keep?", Options: options} }),
		"contentHash does not": try(nil, func(it *ReceiptChecks) { it.ContentHash = "sha256:00" }),
		"sub does not match":   try(nil, func(it *ReceiptChecks) { it.ApprovalID = "apr_2" }),
		"could not read":       try(nil, func(it *ReceiptChecks) { it.Keys = NewKeySet("http://127.0.0.1:1", nil) }),
		"unsupported prot":     try(nil, func(it *ReceiptChecks) { it.Keys, it.Issuer = nil, "nowhere" }),
	} {
		if err == nil || !strings.Contains(err.Error(), why) {
			t.Errorf("%v, want %s", err, why)
		}
	}
}

func TestCachesKeysUntilAnUnknownKeyID(t *testing.T) {
	served, asked := jwks, 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked++
		if r.URL.Path != "/.well-known/jwks.json" {
			w.WriteHeader(http.StatusNotFound)
		}
		_, _ = w.Write([]byte(served))
	}))
	defer server.Close()
	// The keys are at the default URL below their issuer.
	usually := checks()
	usually.Keys, usually.Issuer = nil, server.URL
	for range 3 {
		_, err := VerifyReceipt(ctx, signed(private, nil, fields{"iss": server.URL}), usually)
		equal(t, err, nil)
	}
	equal(t, asked, 1)

	it := checks()
	it.Keys = NewKeySet(server.URL+"/.well-known/jwks.json", server.Client())
	next, nextPrivate, _ := ed25519.GenerateKey(nil)
	rotated := signed(nextPrivate, fields{"kid": "k2"}, nil)
	_, err := VerifyReceipt(ctx, signed(private, nil, nil), it)
	equal(t, err, nil)
	served = `{"keys":[` + jwk("k2", next) + `]}`
	// The keys were just read, so an unknown key causes no new request.
	_, err = VerifyReceipt(ctx, rotated, it)
	equal(t, err != nil, true)
	equal(t, asked, 2)
	it.Keys.readAt = time.Now().Add(-keysPause)
	_, err = VerifyReceipt(ctx, rotated, it)
	equal(t, err, nil)
	equal(t, asked, 3)
	// Old keys are read again, and a removed key is no longer accepted.
	it.Keys.readAt = time.Now().Add(-keysLast)
	_, err = VerifyReceipt(ctx, signed(private, nil, nil), it)
	equal(t, err != nil, true)
	equal(t, asked, 4)

	over, cancel := context.WithCancel(ctx)
	cancel()
	it.Keys = NewKeySet(server.URL+"/nowhere", nil)
	_, err = VerifyReceipt(over, rotated, it)
	equal(t, errors.Is(err, context.Canceled), true)
	_, err = VerifyReceipt(ctx, rotated, it)
	equal(t, strings.Contains(err.Error(), "HTTP status 404"), true)
	_, err = ParseKeySet([]byte("<html>"))
	equal(t, err != nil, true)
}

// verifiedUnder is the result for a receipt with this time and with a key that has these further members.
func verifiedUnder(t *testing.T, set string, iat any, received time.Time) string {
	t.Helper()
	keys, err := ParseKeySet([]byte(set))
	equal(t, err, nil)
	it := checks()
	it.Keys, it.ReceivedAt = keys, received
	if _, err = VerifyReceipt(ctx, signed(private, nil, fields{"iat": iat}), it); err != nil {
		return err.Error()
	}
	return "accepted"
}

func withMembers(members string) string {
	return strings.TrimSuffix(jwk("k1", public), "}") + "," + members + "}"
}

const answeredAt = 1_795_000_000

func after(seconds int64) time.Time { return time.Unix(answeredAt+seconds, 0) }

func TestRejectsReceiptsOfARevokedKey(t *testing.T) {
	revoked := withMembers(fmt.Sprintf(`"revoked":{"revoked_at":%d,"reason":"compromised"}`, answeredAt+60))
	for _, set := range []string{
		`{"keys":[],"revoked_keys":[` + revoked + `]}`,
		`{"keys":[` + jwk("k1", public) + `],"revoked_keys":[` + revoked + `]}`,
		`{"keys":[` + revoked + `]}`,
	} {
		why := verifiedUnder(t, set, answeredAt, time.Time{})
		equal(t, strings.Contains(why, "others may have had the key since 2026-11-18T"), true)
		equal(t, strings.Contains(why, "get the receipt from the service again"), true)
		equal(t, verifiedUnder(t, set, answeredAt, after(60)), why)
		equal(t, verifiedUnder(t, set, answeredAt, after(59)), "accepted")
	}
	for _, set := range []string{
		`{"keys":[],"revoked_keys":[` + jwk("k1", public) + `]}`,
		`{"keys":[` + withMembers(`"revoked":{}`) + `]}`,
	} {
		why := verifiedUnder(t, set, answeredAt, after(1))
		equal(t, strings.Contains(why, "others may have had the key: get"), true)
	}
}

func TestRejectsReceiptsWithImpossibleTimes(t *testing.T) {
	ended := `{"keys":[` + withMembers(fmt.Sprintf(`"exp":%d`, answeredAt)) + `]}`
	started := `{"keys":[` + withMembers(fmt.Sprintf(`"nbf":%d`, answeredAt+1000)) + `]}`
	future := `{"keys":[` + withMembers(`"nbf":4000000000`) + `]}`
	for _, it := range []struct {
		set      string
		iat      any
		received time.Time
		why      string
	}{
		{ended, answeredAt, time.Time{}, "accepted"},
		{ended, answeredAt + 1, time.Time{}, "later than the end of its key"},
		{ended, nil, time.Time{}, "later than the end of its key"},
		{ended, "never", time.Time{}, "later than the end of its key"},
		{started, answeredAt, after(701), "accepted"},
		{started, answeredAt, after(600), "which is later than ReceivedAt"},
		{future, answeredAt, time.Time{}, "which is later than this computer's time"},
		{jwks, answeredAt, after(-301), "answer is later than ReceivedAt"},
		{jwks, answeredAt, after(-300), "accepted"},
	} {
		if said := verifiedUnder(t, it.set, it.iat, it.received); !strings.Contains(said, it.why) {
			t.Errorf("%s, want %s", said, it.why)
		}
	}
}
