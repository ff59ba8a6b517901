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
	known   map[string]ed25519.PublicKey
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

func (k *KeySet) find(ctx context.Context, id string) (ed25519.PublicKey, error) {
	unknown := notProven("the receipt is signed with a key that the service does not publish")
	if k.address == "" {
		if key, is := k.known[id]; is {
			return key, nil
		}
		return nil, unknown
	}
	select {
	case k.turn <- struct{}{}:
		defer func() { <-k.turn }()
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	age := time.Since(k.readAt)
	if key, is := k.known[id]; is && age < keysLast {
		return key, nil
	}
	if k.known == nil || age >= keysPause {
		known, err := k.read(ctx)
		if err != nil {
			return nil, &VerificationError{Reason: "could not read the service's keys: " + err.Error(), cause: err}
		}
		k.known, k.readAt = known, time.Now()
	}
	if key, is := k.known[id]; is {
		return key, nil
	}
	return nil, unknown
}

func (k *KeySet) read(ctx context.Context) (map[string]ed25519.PublicKey, error) {
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

func parseKeys(jwks []byte) (map[string]ed25519.PublicKey, error) {
	var set struct {
		Keys []struct{ Kty, Crv, Kid, X string }
	}
	if err := json.Unmarshal(jwks, &set); err != nil {
		return nil, err
	}
	known := map[string]ed25519.PublicKey{}
	for _, it := range set.Keys {
		key, err := base64.RawURLEncoding.DecodeString(it.X)
		if it.Kty == "OKP" && it.Crv == "Ed25519" && err == nil && len(key) == ed25519.PublicKeySize {
			known[it.Kid] = key
		}
	}
	return known, nil
}
