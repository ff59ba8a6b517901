package countersign

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// VerifyWebhook verifies a webhook's signature (Standard Webhooks 1.0), and returns its event. Pass the raw body, and several
// secrets while you replace one. Respond with 400 to a [VerificationError].
func VerifyWebhook(body []byte, headers http.Header, secrets ...string) (*Event, error) {
	return WebhookVerifier{Secrets: secrets}.Verify(body, headers)
}

// WebhookVerifier is [VerifyWebhook] with more options.
type WebhookVerifier struct {
	// Secrets are whsec_…, several while you replace one.
	Secrets []string
	// Tolerance is the maximum difference between a webhook's time and yours, to prevent replays. The
	// default is five minutes.
	Tolerance time.Duration
	// Now is the current time. The default is [time.Now].
	Now func() time.Time
}

// Verify verifies a webhook's signature, and returns its event.
func (v WebhookVerifier) Verify(body []byte, headers http.Header) (*Event, error) {
	id, sent, signatures := headers.Get("Webhook-Id"), headers.Get("Webhook-Timestamp"), headers.Get("Webhook-Signature")
	if id == "" || sent == "" || signatures == "" {
		return nil, notProven("one of the headers webhook-id, webhook-timestamp and webhook-signature is missing")
	}
	seconds, err := strconv.ParseUint(sent, 10, 40)
	if err != nil {
		return nil, notProven("the header webhook-timestamp is not a Unix time")
	}
	tolerance, now := v.Tolerance, v.Now
	if tolerance <= 0 {
		tolerance = 5 * time.Minute
	}
	if now == nil {
		now = time.Now
	}
	if now().Sub(time.Unix(int64(seconds), 0)).Abs() > tolerance {
		return nil, notProven("the time in the header webhook-timestamp is too far in the past or future")
	}
	if err := v.signed(append([]byte(id+"."+sent+"."), body...), signatures); err != nil {
		return nil, err
	}
	event := &Event{}
	if err := json.Unmarshal(body, event); err != nil {
		return nil, &VerificationError{Reason: "the body is not an event", cause: err}
	}
	return event, nil
}

func (v WebhookVerifier) signed(text []byte, signatures string) error {
	if len(v.Secrets) == 0 {
		return errors.New("countersign: the secret is missing")
	}
	proven := false
	for _, secret := range v.Secrets {
		key, err := unpadded(strings.TrimPrefix(secret, "whsec_"))
		if err != nil || len(key) == 0 {
			return errors.New("countersign: the secret must be whsec_ followed by Base64 text")
		}
		mac := hmac.New(sha256.New, key)
		mac.Write(text)
		wanted := mac.Sum(nil)
		for _, each := range strings.Fields(signatures) {
			version, encoded, _ := strings.Cut(each, ",")
			given, err := unpadded(encoded)
			if version == "v1" && err == nil && hmac.Equal(given, wanted) {
				proven = true
			}
		}
	}
	if !proven {
		return notProven("no signature matches the webhook")
	}
	return nil
}

func unpadded(text string) ([]byte, error) {
	return base64.RawStdEncoding.Strict().DecodeString(strings.TrimRight(text, "="))
}
