package countersign

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"
)

var (
	sentAt = time.Unix(1795000000, 0)
	body   = []byte(`{"id":"evt_x","type":"approval.resolved","createdAt":1795000000000,"data":{"id":"apr_x","text":"Grüße 😀"}}`)
	key    = random(32)
	secret = "whsec_" + base64.StdEncoding.EncodeToString(key)
)

func random(size int) []byte {
	bytes := make([]byte, size)
	_, _ = rand.Read(bytes)
	return bytes
}

func signedBy(key []byte, id, at, text string) http.Header {
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(id + "." + at + "." + text))
	headers := http.Header{}
	headers.Set("webhook-id", id)
	headers.Set("webhook-timestamp", at)
	headers.Set("webhook-signature", "v1,"+base64.StdEncoding.EncodeToString(mac.Sum(nil)))
	return headers
}

func verifier(secrets ...string) WebhookVerifier {
	return WebhookVerifier{Secrets: secrets, Now: func() time.Time { return sentAt }}
}

const at = "1795000000"

func TestReadsTheEventOfASignedWebhook(t *testing.T) {
	headers := signedBy(key, "evt_x", at, string(body))
	event, err := verifier(secret).Verify(body, headers)
	if err != nil {
		t.Fatal(err)
	}
	equal(t, event.ID+" "+event.Type, "evt_x approval.resolved")
	equal(t, event.CreatedAt.Time().Equal(sentAt), true)
	// During the replacement of a secret, there are several secrets and signatures.
	other := "whsec_" + base64.StdEncoding.EncodeToString(random(24))
	_, err = verifier(other, secret).Verify(body, headers)
	equal(t, err, nil)
	headers.Set("webhook-signature", "v1a,AAAA v1,AAAA "+headers.Get("webhook-signature"))
	_, err = verifier(secret).Verify(body, headers)
	equal(t, err, nil)
	now := signedBy(key, "evt_x", strconv.FormatInt(time.Now().Unix(), 10), string(body))
	_, err = VerifyWebhook(body, now, secret)
	equal(t, err, nil)
}

func TestVerifiesTheExampleOfStandardWebhooks(t *testing.T) {
	headers := http.Header{}
	headers.Set("webhook-id", "msg_p5jXN8AQM9LWM0D4loKWxJek")
	headers.Set("webhook-timestamp", "1614265330")
	headers.Set("webhook-signature", "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=")
	known := WebhookVerifier{
		Secrets: []string{"whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"},
		Now:     func() time.Time { return time.Unix(1614265330, 0) },
	}
	_, err := known.Verify([]byte(`{"test": 2432232314}`), headers)
	equal(t, err, nil)
}

func TestRejectsAnInvalidWebhook(t *testing.T) {
	text := string(body)
	good := signedBy(key, "evt_x", at, text)
	with := func(name, value string) http.Header {
		headers := good.Clone()
		headers.Set(name, value)
		return headers
	}
	for why, it := range map[string]struct {
		headers http.Header
		body    string
	}{
		"another key":        {signedBy(random(32), "evt_x", at, text), text},
		"another body":       {good, strings.Replace(text, "apr_x", "apr_y", 1)},
		"another id":         {with("webhook-id", "evt_y"), text},
		"another time":       {with("webhook-timestamp", "1795000001"), text},
		"an old time":        {signedBy(key, "evt_x", "1794999699", text), text},
		"a time to come":     {signedBy(key, "evt_x", "1795000301", text), text},
		"no time":            {signedBy(key, "evt_x", "1e9", text), text},
		"a negative time":    {signedBy(key, "evt_x", "-1", text), text},
		"another kind":       {with("webhook-signature", strings.Replace(good.Get("webhook-signature"), "v1", "v1a", 1)), text},
		"no signature":       {with("webhook-signature", ""), text},
		"half a signature":   {with("webhook-signature", good.Get("webhook-signature")[:20]), text},
		"what is no event":   {signedBy(key, "evt_x", at, "[]"), "[]"},
		"no header whatever": {http.Header{}, text},
	} {
		event, err := verifier(secret).Verify([]byte(it.body), it.headers)
		var refused *VerificationError
		if !errors.As(err, &refused) || event != nil {
			t.Errorf("%s: %v", why, err)
		}
	}
	for _, wrong := range [][]string{{""}, {"whsec_"}, {"whsec_not base64!"}, {secret, ""}, {}} {
		if _, err := verifier(wrong...).Verify(body, signedBy(nil, "evt_x", at, text)); err == nil {
			t.Errorf("%q is a secret", wrong)
		}
	}
}
