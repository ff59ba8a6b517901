package countersign

import (
	"encoding/json"
	"fmt"
)

// SignedByOwner is whether the owner's passkey must sign an answer. The zero value is for answers
// without a signature.
type SignedByOwner string

const (
	// SignatureRequired requires a signature. The service rejects the question with 422 if the owner
	// has no passkey.
	SignatureRequired SignedByOwner = "required"
	// SignatureInLens requires a signature that the owner gives in the operator's lens. The service
	// rejects the question with 422 if it has no lens, or if the owner has no passkey.
	SignatureInLens SignedByOwner = "in-lens"
	// SignatureWhenPossible requires a signature only while the owner has a passkey.
	SignatureWhenPossible SignedByOwner = "when-possible"
)

// json returns the value's JSON in the API, or "" if there is none.
func (s SignedByOwner) json() string {
	switch s {
	case SignatureRequired:
		return "true"
	case SignatureInLens:
		return `"in-lens"`
	case SignatureWhenPossible:
		return `"when-possible"`
	}
	return ""
}

// MarshalJSON writes true for [SignatureRequired], as the API expects.
func (s SignedByOwner) MarshalJSON() ([]byte, error) {
	if text := s.json(); text != "" {
		return []byte(text), nil
	}
	if s == "" {
		return []byte("null"), nil
	}
	return nil, fmt.Errorf("countersign: %q is not a value of SignedByOwner", string(s))
}

// UnmarshalJSON parses the API's value. An unknown value is kept as it is.
func (s *SignedByOwner) UnmarshalJSON(text []byte) error {
	switch string(text) {
	case "true":
		*s = SignatureRequired
		return nil
	case "false", "null":
		*s = ""
		return nil
	}
	if json.Unmarshal(text, (*string)(s)) != nil {
		*s = SignedByOwner(text)
	}
	return nil
}

// AnswerSignature is the signature of the owner's passkey. All members except Statement and Synced
// are in base64url.
type AnswerSignature struct {
	// Statement is what the passkey signed: canonical JSON whose SHA-256 is the challenge.
	Statement         string `json:"statement"`
	CredentialID      string `json:"credentialId"`
	AuthenticatorData string `json:"authenticatorData"`
	ClientDataJSON    string `json:"clientDataJSON"`
	Signature         string `json:"signature"`
	// Synced is for readers. [VerifySignedAnswer] reads the signed flag.
	Synced bool `json:"synced"`
}

// OwnerKey is a passkey of the owner.
type OwnerKey struct {
	CredentialID string `json:"credentialId"`
	// PublicKey is the public key as a JWK.
	PublicKey json.RawMessage `json:"publicKey"`
	// Synced is whether the passkey can be synced to other devices. It is nil until an older passkey is
	// used.
	Synced *bool `json:"synced,omitempty"`
	// Since is when the owner added the passkey.
	Since Millis `json:"since"`
	// Until is when the owner removed the passkey. It is 0 if the owner did not.
	Until Millis `json:"until,omitempty"`
}

// OwnerKeys are the owner's passkeys, and the RP ID and the origins for which they sign. Pin them:
// store them as JSON.
type OwnerKeys struct {
	Keys    []OwnerKey `json:"keys"`
	Owner   string     `json:"owner"`
	RPID    string     `json:"rpId"`
	Origins []string   `json:"origins"`
}
