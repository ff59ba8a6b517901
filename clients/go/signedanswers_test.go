package countersign

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"
)

// vectors are the signed answers that all clients verify, and the contents that they hash.
type vectors struct {
	Checks   fields
	Contents []struct {
		Name      string
		Content   json.RawMessage
		Canonical string
	}
	Vectors []struct {
		Name       string
		Resolution Resolution
		Checks     fields
		Refused    string
	}
}

func readVectors(t *testing.T) vectors {
	t.Helper()
	text, err := os.ReadFile("testdata/signed-answers.json")
	if err != nil {
		t.Fatal(err)
	}
	var all vectors
	if err := json.Unmarshal(text, &all); err != nil {
		t.Fatal(err)
	}
	if len(all.Vectors) < 100 {
		t.Fatalf("only %d vectors", len(all.Vectors))
	}
	return all
}

// named returns the resolution of a vector with the usual checks.
func (v vectors) named(t *testing.T, name string) (Resolution, SignedAnswerChecks) {
	t.Helper()
	for _, it := range v.Vectors {
		if it.Name == name {
			return it.Resolution, v.checks(t, it.Checks)
		}
	}
	t.Fatalf("there is no vector %s", name)
	return Resolution{}, SignedAnswerChecks{}
}

// checks are the usual checks with these differences. A nil value omits a check.
func (v vectors) checks(t *testing.T, other fields) SignedAnswerChecks {
	t.Helper()
	all := fields{}
	for _, each := range []fields{v.Checks, other} {
		for name, value := range each {
			all[name] = value
		}
	}
	text, err := json.Marshal(all)
	if err != nil {
		t.Fatal(err)
	}
	var given struct {
		Issuer, Owner, App, ApprovalID, ContentHash, RPID string
		Keys                                              []OwnerKey
		Content                                           json.RawMessage
		Origins                                           []string
		AskedAt                                           Millis
		AcceptNewKeys                                     bool
		LastCounter                                       uint32
	}
	if err := json.Unmarshal(text, &given); err != nil {
		t.Fatal(err)
	}
	checks := SignedAnswerChecks{
		Issuer: given.Issuer, Owner: given.Owner, App: given.App, ApprovalID: given.ApprovalID, Keys: given.Keys, ContentHash: given.ContentHash,
		RPID: given.RPID, Origins: given.Origins, AcceptNewKeys: given.AcceptNewKeys, LastCounter: given.LastCounter,
	}
	if given.Content != nil {
		checks.Content = given.Content
	}
	if given.AskedAt != 0 {
		checks.AskedAt = given.AskedAt.Time()
	}
	return checks
}

func TestVerifiesTheVectorsOfSignedAnswers(t *testing.T) {
	all := readVectors(t)
	for _, it := range all.Vectors {
		signed, err := VerifySignedAnswer(it.Resolution, all.checks(t, it.Checks))
		if it.Refused == "" {
			if err != nil {
				t.Errorf("%s: %v", it.Name, err)
			}
			continue
		}
		var refused *VerificationError
		if !errors.As(err, &refused) || !strings.Contains(refused.Reason, it.Refused) || signed != nil {
			t.Errorf("%s: %v, want %s", it.Name, err, it.Refused)
		}
	}
}

func TestReturnsTheSignedFacts(t *testing.T) {
	all := readVectors(t)
	resolution, checks := all.named(t, "an increased counter")
	signed, err := VerifySignedAnswer(resolution, checks)
	if err != nil {
		t.Fatal(err)
	}
	equal(t, signed.CredentialID, resolution.Signature.CredentialID)
	equal(t, signed.Counter, 8)
	equal(t, signed.Synced, false)
	equal(t, signed.OfferedAt, 1_795_000_060_000)
	equal(t, signed.Yes("pay"), true)
	equal(t, signed.Yes("keep"), false)
	values := map[string]any{"rate": 0.5, "amount": Money{"86.40", "EUR"}}
	equal(t, signed.YesWith("pay", values), true)
	equal(t, signed.YesWith("keep", values), false)
	equal(t, signed.YesWith("pay", map[string]any{"rate": 0.5}), false)
	resolution, checks = all.named(t, "a passkey that can be synced")
	signed, err = VerifySignedAnswer(resolution, checks)
	equal(t, err, nil)
	equal(t, signed.Synced, true)
}

func TestRejectsASignedAnswerAfterAChangeOfAnyByte(t *testing.T) {
	all := readVectors(t)
	for _, name := range []string{"a signature with ES256", "a signature with Ed25519", "a signature with RS256"} {
		resolution, checks := all.named(t, name)
		good := *resolution.Signature
		for member := range 4 {
			signature := good
			text := []*string{&signature.Statement, &signature.AuthenticatorData, &signature.ClientDataJSON, &signature.Signature}[member]
			bytes := []byte(*text)
			if member > 0 {
				decoded, err := base64.RawURLEncoding.DecodeString(*text)
				equal(t, err, nil)
				bytes = decoded
			}
			for at := range bytes {
				for bit := range 8 {
					bytes[at] ^= 1 << bit
					*text = string(bytes)
					if member > 0 {
						*text = base64.RawURLEncoding.EncodeToString(bytes)
					}
					bytes[at] ^= 1 << bit
					altered := resolution
					altered.Signature = &signature
					if _, err := VerifySignedAnswer(altered, checks); err == nil {
						t.Errorf("%s: accepts another bit %d in byte %d of member %d", name, bit, at, member)
					}
				}
			}
		}
	}
}

func TestRequiresTheChecksOfSignedAnswers(t *testing.T) {
	all := readVectors(t)
	for name, omit := range map[string]func(*SignedAnswerChecks){
		"Issuer, Owner, App and ApprovalID": func(it *SignedAnswerChecks) { it.Owner = "" },
		"Content or ContentHash":            func(it *SignedAnswerChecks) { it.ContentHash = "" },
		"AskedAt or AcceptNewKeys":          func(it *SignedAnswerChecks) { it.AskedAt = time.Time{} },
		"must have a question":              func(it *SignedAnswerChecks) { it.Content = "Ship?" },
		"missing protocol scheme":           func(it *SignedAnswerChecks) { it.Issuer = ":" },
	} {
		resolution, checks := all.named(t, "a signature with ES256")
		omit(&checks)
		_, err := VerifySignedAnswer(resolution, checks)
		var refused *VerificationError
		if err == nil || errors.As(err, &refused) || !strings.Contains(err.Error(), name) && name != "must have a question" {
			t.Errorf("%v, want %s", err, name)
		}
	}
}

func TestReadsTheOwnersKeys(t *testing.T) {
	body := `{"keys":[{"credentialId":"AA","publicKey":{"kty":"OKP"},"synced":true,"since":5,"until":7}],"owner":"own_1","rpId":"a.example","origins":["https://a.example"]}`
	fake := &service{replies: []reply{{status: http.StatusOK, body: body}}}
	keys, err := fake.client(t, Config{}).OwnerKeys(ctx)
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(keys)
	equal(t, err, nil)
	equal(t, string(text), body)
	equal(t, fake.sent[0].URL.Path, "/api/owner/keys")
}
