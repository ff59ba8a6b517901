package countersign

import (
	"bytes"
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"math/big"
	"slices"
	"unicode/utf8"
)

// expectedAssertion is what an assertion must have been made for.
type expectedAssertion struct {
	challenge [sha256.Size]byte
	origins   []string
	rpID      string
	publicKey json.RawMessage
}

// Flags of the authenticator data (WebAuthn level 3, section 6.1). flagHasMore are those of a key and
// of extensions.
const (
	flagPresent  = 0x01
	flagVerified = 0x04
	flagCanSync  = 0x08
	flagIsSynced = 0x10
	flagHasMore  = 0xc0
)

// authenticatorHead is the length of the authenticator data without a key or extensions.
const authenticatorHead = 37

// verifyAssertion verifies what a passkey signed (WebAuthn level 3, section 7.2), with user presence
// and user verification. It returns the signature counter, and whether the passkey can be synced to
// other devices.
func verifyAssertion(given AnswerSignature, expected expectedAssertion) (counter uint32, synced bool, err error) {
	var decoded [3][]byte
	for i, text := range []string{given.AuthenticatorData, given.ClientDataJSON, given.Signature} {
		bytes, err := base64.RawURLEncoding.DecodeString(text)
		// Go's decoder ignores line breaks and trailing bits.
		if err != nil || base64.RawURLEncoding.EncodeToString(bytes) != text {
			return 0, false, notProven("the answer's signature is malformed")
		}
		decoded[i] = bytes
	}
	data, clientData, signature := decoded[0], decoded[1], decoded[2]
	if err := checkClientData(clientData, expected); err != nil {
		return 0, false, err
	}
	flags, err := checkAuthenticatorData(data, expected.rpID)
	if err != nil {
		return 0, false, err
	}
	hash := sha256.Sum256(clientData)
	valid, err := hasSigned(expected.publicKey, signature, append(slices.Clone(data), hash[:]...))
	if err != nil {
		return 0, false, err
	}
	if !valid {
		return 0, false, notProven("the passkey's signature is invalid")
	}
	return binary.BigEndian.Uint32(data[33:]), flags&flagCanSync != 0, nil
}

func checkClientData(text []byte, expected expectedAssertion) error {
	// Decode by exact names, because a struct would accept ORIGIN as origin.
	var client map[string]json.RawMessage
	// encoding/json accepts invalid UTF-8.
	if !utf8.Valid(text) || json.Unmarshal(text, &client) != nil || client == nil {
		return notProven("the client data is not JSON")
	}
	member := func(name string) (value string) {
		// A member that is not a string never matches.
		_ = json.Unmarshal(client[name], &value)
		return value
	}
	if member("type") != "webauthn.get" {
		return notProven("the client data's type is not webauthn.get")
	}
	if member("challenge") != base64.RawURLEncoding.EncodeToString(expected.challenge[:]) {
		return notProven("the client data's challenge is not the hash of the statement")
	}
	if origin := member("origin"); origin == "" || !slices.Contains(expected.origins, origin) {
		return notProven("the client data's origin is not an expected origin")
	}
	if crossOrigin, has := client["crossOrigin"]; has && string(crossOrigin) != "false" {
		return notProven("the passkey signed in a frame of another origin")
	}
	return nil
}

func checkAuthenticatorData(data []byte, rpID string) (flags byte, err error) {
	malformed := notProven("the authenticator data is malformed")
	if len(data) < authenticatorHead {
		return 0, malformed
	}
	flags = data[32]
	if (len(data) > authenticatorHead) != (flags&flagHasMore != 0) {
		return 0, malformed
	}
	if wanted := sha256.Sum256([]byte(rpID)); !bytes.Equal(data[:32], wanted[:]) {
		return 0, notProven("the authenticator data is for another RP ID")
	}
	if flags&flagPresent == 0 {
		return 0, notProven("the passkey did not check that the owner was present")
	}
	if flags&flagVerified == 0 {
		return 0, notProven("the passkey did not verify the owner")
	}
	if flags&flagIsSynced != 0 && flags&flagCanSync == 0 {
		return 0, malformed
	}
	return flags, nil
}

// hasSigned verifies a signature with the algorithm of the key: ES256, Ed25519 or RS256.
func hasSigned(jwk json.RawMessage, signature, signed []byte) (bool, error) {
	invalid := notProven("the passkey's public key is invalid")
	var key struct{ Kty, Crv, X, Y, N, E string }
	if json.Unmarshal(jwk, &key) != nil {
		return false, invalid
	}
	number := func(text string) *big.Int {
		bytes, err := base64.RawURLEncoding.DecodeString(text)
		if err != nil {
			return new(big.Int)
		}
		return new(big.Int).SetBytes(bytes)
	}
	hash := sha256.Sum256(signed)
	switch {
	case key.Kty == "EC" && key.Crv == "P-256":
		public := &ecdsa.PublicKey{Curve: elliptic.P256(), X: number(key.X), Y: number(key.Y)}
		if _, err := public.ECDH(); err != nil {
			return false, invalid
		}
		return ecdsa.VerifyASN1(public, hash[:], signature), nil
	case key.Kty == "OKP" && key.Crv == "Ed25519":
		public, err := base64.RawURLEncoding.DecodeString(key.X)
		if err != nil || len(public) != ed25519.PublicKeySize {
			return false, invalid
		}
		return ed25519.Verify(public, signed, signature), nil
	case key.Kty == "RSA":
		modulus, exponent := number(key.N), number(key.E)
		if modulus.Sign() == 0 || exponent.BitLen() > 31 || exponent.Sign() == 0 {
			return false, invalid
		}
		public := &rsa.PublicKey{N: modulus, E: int(exponent.Int64())}
		return rsa.VerifyPKCS1v15(public, crypto.SHA256, hash[:], signature) == nil, nil
	}
	return false, notProven("the passkey's public key has an unsupported type")
}
