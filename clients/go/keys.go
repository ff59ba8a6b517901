package countersign

import (
	"context"
	"crypto/ed25519"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"time"
)

const (
	// Keys are cached for as long as the service allows.
	keysLast = 5 * time.Minute
	// The minimum pause before keys are read again for an unknown key, so that forged receipts cause few requests.
	keysPause = 10 * time.Second
)

// KeySet holds the public keys that verify a service's receipts. It is safe for concurrent use.
type KeySet struct {
	address string
	client  *http.Client
	turn    chan struct{}
	known   map[string]publishedKey
	readAt  time.Time
}

// NewKeySet reads keys from a URL when they are needed, and caches them for five minutes.
// If client is nil, it uses [http.DefaultClient].
func NewKeySet(address string, client *http.Client) *KeySet {
	if client == nil {
		client = http.DefaultClient
	}
	return &KeySet{address: address, client: client, turn: make(chan struct{}, 1)}
}

// ParseKeySet parses keys in the format of /.well-known/jwks.json. The set never fetches keys.
func ParseKeySet(jwks []byte) (*KeySet, error) {
	known, err := parseKeys(jwks)
	if err != nil {
		return nil, fmt.Errorf("countersign: %w", err)
	}
	return &KeySet{known: known}, nil
}

// usual caches each issuer's keys from the default URL, so that they are not fetched for every
// receipt.
var usual sync.Map

func keysOf(issuer string) *KeySet {
	address := strings.TrimRight(issuer, "/") + "/.well-known/jwks.json"
	keys, _ := usual.LoadOrStore(address, NewKeySet(address, nil))
	return keys.(*KeySet)
}

func (k *KeySet) find(ctx context.Context, id string) (publishedKey, error) {
	unknown := notProven("the receipt is signed with a key that the service does not publish")
	if k.address == "" {
		if key, is := k.known[id]; is {
			return key, nil
		}
		return publishedKey{}, unknown
	}
	select {
	case k.turn <- struct{}{}:
		defer func() { <-k.turn }()
	case <-ctx.Done():
		return publishedKey{}, context.Cause(ctx)
	}
	age := time.Since(k.readAt)
	if key, is := k.known[id]; is && age < keysLast {
		return key, nil
	}
	if k.known == nil || age >= keysPause {
		known, err := k.read(ctx)
		if err != nil {
			return publishedKey{}, &VerificationError{Reason: "could not read the service's keys: " + err.Error(), cause: err}
		}
		k.known, k.readAt = known, time.Now()
	}
	if key, is := k.known[id]; is {
		return key, nil
	}
	return publishedKey{}, unknown
}

func (k *KeySet) read(ctx context.Context) (map[string]publishedKey, error) {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, k.address, nil)
	if err != nil {
		return nil, err
	}
	reply, err := k.client.Do(request)
	if err != nil {
		return nil, err
	}
	defer reply.Body.Close()
	if reply.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("HTTP status %d", reply.StatusCode)
	}
	text, err := io.ReadAll(io.LimitReader(reply.Body, 1<<20))
	if err != nil {
		return nil, err
	}
	return parseKeys(text)
}

// publishedKey is a public key with its times in epoch seconds.
type publishedKey struct {
	public ed25519.PublicKey
	// notBefore is when the key was created, and end is the end of the time in which it may sign.
	notBefore, end *float64
	// revoked is whether others may have the key, and since is the earliest time at which they may
	// have had it. Without since, no receipt of a revoked key is valid.
	revoked bool
	since   *float64
}

// clockSkew is the number of seconds by which clocks may differ.
const clockSkew = 300

// checkRevocation rejects the receipts of a revoked key. Someone who has stolen a private key can
// sign any claims, including a false time. Therefore, only the verifier's own record of when it
// received a receipt can show that the receipt is older than the theft.
func (k publishedKey) checkRevocation(received time.Time) error {
	if !k.revoked || !received.IsZero() && k.since != nil && seconds(received) < *k.since {
		return nil
	}
	since := ""
	if k.since != nil {
		since = " since " + formatSeconds(*k.since)
	}
	return notProven("the service revoked the receipt's key, because others may have had the key" + since + ": get the receipt from the service again")
}

// checkTimes checks that a receipt's times are possible for its key. The time of the answer may
// precede the key, because the service signs a receipt whenever it is read.
func (k publishedKey) checkTimes(answered float64, received time.Time) error {
	seen, clock := received, "ReceivedAt"
	if received.IsZero() {
		seen, clock = time.Now(), "this computer's time"
	}
	if k.notBefore != nil && seconds(seen)+clockSkew < *k.notBefore {
		return notProven("the receipt's key is valid from " + formatSeconds(*k.notBefore) + ", which is later than " + clock)
	}
	if k.end != nil && answered > *k.end {
		return notProven("the receipt's answer is later than the end of its key at " + formatSeconds(*k.end))
	}
	if !received.IsZero() && answered > seconds(received)+clockSkew {
		return notProven("the receipt's answer is later than ReceivedAt")
	}
	return nil
}

func seconds(at time.Time) float64 { return float64(at.UnixMilli()) / 1000 }

func formatSeconds(seconds float64) string {
	return time.UnixMilli(int64(seconds * 1000)).UTC().Format(time.RFC3339)
}

func parseKeys(jwks []byte) (map[string]publishedKey, error) {
	type jwk struct {
		Kty, Crv, Kid, X string
		Nbf, Exp         *float64
		Revoked          *struct {
			RevokedAt *float64 `json:"revoked_at"`
		}
	}
	var set struct {
		Keys        []jwk
		RevokedKeys []jwk `json:"revoked_keys"`
	}
	if err := json.Unmarshal(jwks, &set); err != nil {
		return nil, err
	}
	known := map[string]publishedKey{}
	add := func(it jwk, revoked bool) {
		key, err := base64.RawURLEncoding.DecodeString(it.X)
		if it.Kty != "OKP" || it.Crv != "Ed25519" || err != nil || len(key) != ed25519.PublicKeySize {
			return
		}
		made := publishedKey{public: key, notBefore: it.Nbf, end: it.Exp, revoked: revoked || it.Revoked != nil}
		if it.Revoked != nil {
			made.since = it.Revoked.RevokedAt
		}
		known[it.Kid] = made
	}
	for _, it := range set.Keys {
		add(it, false)
	}
	for _, it := range set.RevokedKeys {
		add(it, true)
	}
	return known, nil
}
