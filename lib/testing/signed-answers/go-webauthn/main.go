// Command signed-answers-check prints which assertions of signed answers go-webauthn accepts: a JSON
// object of verdicts by the vector's name. Its argument is the file of the vectors.
package main

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"log"
	"net/url"
	"os"

	"github.com/go-webauthn/webauthn/protocol"
	"github.com/go-webauthn/webauthn/webauthn"
)

type checks struct {
	Issuer, RPID string
	Origins      []string
	LastCounter  uint32
}

type vector struct {
	Name       string
	Resolution struct{ Signature *assertion }
	Checks     json.RawMessage
}

type assertion struct {
	Statement, CredentialID, AuthenticatorData, ClientDataJSON, Signature string
}

func main() {
	text, err := os.ReadFile(os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	var file struct {
		Checks  checks
		Cose    map[string]string
		Vectors []vector
	}
	if err := json.Unmarshal(text, &file); err != nil {
		log.Fatal(err)
	}
	verdicts := map[string]bool{}
	for _, it := range file.Vectors {
		if it.Resolution.Signature == nil {
			continue
		}
		expected := file.Checks
		if err := json.Unmarshal(it.Checks, &expected); err != nil {
			log.Fatal(err)
		}
		verdicts[it.Name] = accepts(*it.Resolution.Signature, expected, file.Cose)
	}
	if err := json.NewEncoder(os.Stdout).Encode(verdicts); err != nil {
		log.Fatal(err)
	}
}

func accepts(it assertion, expected checks, keys map[string]string) bool {
	body, err := json.Marshal(map[string]any{
		"id": it.CredentialID, "rawId": it.CredentialID, "type": "public-key",
		"response": map[string]string{
			"authenticatorData": it.AuthenticatorData, "clientDataJSON": it.ClientDataJSON, "signature": it.Signature,
		},
	})
	if err != nil {
		log.Fatal(err)
	}
	parsed, err := protocol.ParseCredentialRequestResponseBytes(body)
	if err != nil {
		return false
	}
	issuer, err := url.Parse(expected.Issuer)
	if err != nil {
		log.Fatal(err)
	}
	if expected.RPID == "" {
		expected.RPID = issuer.Hostname()
	}
	if expected.Origins == nil {
		expected.Origins = []string{expected.Issuer}
	}
	key, err := base64.RawURLEncoding.DecodeString(keys[it.CredentialID])
	if err != nil {
		log.Fatal(err)
	}
	hash := sha256.Sum256([]byte(it.Statement))
	challenge := base64.RawURLEncoding.EncodeToString(hash[:])
	if parsed.Verify(challenge, expected.RPID, "", expected.Origins, nil, nil, protocol.TopOriginExplicitVerificationMode, false, true, true, key, protocol.SignaturePolicy{}) != nil {
		return false
	}
	device := webauthn.Authenticator{SignCount: expected.LastCounter}
	device.UpdateCounter(parsed.Response.AuthenticatorData.Counter)
	return !device.CloneWarning
}
