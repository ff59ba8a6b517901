package countersign

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	mathrand "math/rand/v2"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
	"unicode"
)

// apiVersion is the API version that this package uses.
const apiVersion = "1"

// forever is the patience of calls that are retried until their context is done.
const forever = time.Duration(math.MaxInt64)

// call is one request. With a key, a retry is safe. Without one, only reads are retried.
type call struct {
	method, path string
	query        map[string]string
	body         any
	key          string
	// waits is how long the service may wait before it responds, in addition to the usual timeout.
	waits time.Duration
	// patience defaults to the client's.
	patience time.Duration
	// headers receives the headers of the successful response.
	headers func(http.Header)
}

type calls struct{ config Config }

// passing lists temporary errors: too many requests, a service that is starting, a database that is unavailable.
func passing(status int) bool {
	switch status {
	case 0, 408, 425, 429, 502, 503, 504:
		return true
	}
	return false
}

// json sends a call until it succeeds or must not be retried, and decodes the response into value.
func (c *calls) json(ctx context.Context, it call, value any) error {
	body, err := encoded(it.body)
	if err != nil {
		return err
	}
	patience := it.patience
	if patience == 0 {
		patience = c.config.Patience
	}
	began := time.Now()
	again := it.method == http.MethodGet || it.key != ""
	refused, asked := "", false
	for attempt := 0; ; attempt++ {
		bearer, err := c.bearer(ctx, refused)
		if err != nil {
			return err
		}
		limit := c.config.Timeout + it.waits
		// Even with hardly any time left, an attempt gets a second.
		if left := patience - time.Since(began); patience >= 0 && left < limit-time.Second {
			limit = max(0, left) + time.Second
		}
		failure, retryAfter := c.attempt(ctx, it, bearer, body, limit, value)
		if failure == nil {
			return nil
		}
		// A request with a rejected token has had no effect.
		if failure.Status == http.StatusUnauthorized && c.config.TokenSource != nil && !asked {
			refused, asked = bearer, true
			continue
		}
		if !passing(failure.Status) {
			return failure
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		left := patience - time.Since(began)
		if !again || left <= 0 {
			return failure
		}
		delay := retryAfter
		if delay < 0 {
			most := min(10*time.Second, 250*time.Millisecond<<min(attempt, 10))
			delay = time.Duration(mathrand.Float64() * float64(most))
		}
		delay = min(delay, left)
		if c.config.OnRetry != nil {
			c.config.OnRetry(Retry{Attempt: attempt + 1, Delay: delay, Reason: failure})
		}
		if err := pause(ctx, delay); err != nil {
			return err
		}
	}
}

func (c *calls) bearer(ctx context.Context, refused string) (string, error) {
	token, err := c.config.Token, error(nil)
	if c.config.TokenSource != nil {
		token, err = c.config.TokenSource(ctx, refused)
	}
	if err == nil && strings.ContainsFunc(token, unicode.IsControl) {
		err = errors.New("countersign: the token has a line break or another control character")
	}
	return token, err
}

// attempt sends the request once. It returns an error if the service rejects the request or does
// not respond, and when to retry. The delay is negative if the service does not state one.
func (c *calls) attempt(ctx context.Context, it call, bearer string, body []byte, limit time.Duration, value any) (*Error, time.Duration) {
	within, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	silent := func(err error) (*Error, time.Duration) {
		return unreachable(c.config.BaseURL, err), -1
	}
	request, err := c.request(within, it, bearer, body)
	if err != nil {
		return silent(err)
	}
	reply, err := c.config.HTTPClient.Do(request)
	if err != nil {
		return silent(err)
	}
	defer reply.Body.Close()
	text, err := io.ReadAll(reply.Body)
	if err != nil {
		return silent(err)
	}
	if reply.StatusCode/100 == 2 {
		if err := json.Unmarshal(text, value); err != nil {
			return &Error{Message: "The response has an unexpected form: " + err.Error(), Status: http.StatusBadGateway,
				RequestID: reply.Header.Get("X-Request-Id"), cause: err}, -1
		}
		if it.headers != nil {
			it.headers(reply.Header)
		}
		return nil, 0
	}
	return refusal(reply, text), retryAfter(reply.Header)
}

func (c *calls) request(ctx context.Context, it call, bearer string, body []byte) (*http.Request, error) {
	address := c.config.BaseURL + it.path
	query := url.Values{}
	for name, value := range it.query {
		if value != "" {
			query.Set(name, value)
		}
	}
	if len(query) > 0 {
		address += "?" + query.Encode()
	}
	request, err := http.NewRequestWithContext(ctx, it.method, address, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	request.Header.Set("Authorization", "Bearer "+bearer)
	request.Header.Set("Accept", "application/json")
	request.Header.Set("Countersign-Version", apiVersion)
	if body != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	if it.key != "" {
		request.Header.Set("Idempotency-Key", it.key)
	}
	return request, nil
}

func encoded(body any) ([]byte, error) {
	if body == nil {
		return nil, nil
	}
	text, err := json.Marshal(body)
	if err != nil {
		return nil, fmt.Errorf("countersign: %w", err)
	}
	return text, nil
}

// retryAfter is at most five minutes, with jitter for each caller.
func retryAfter(headers http.Header) time.Duration {
	seconds, err := strconv.ParseUint(headers.Get("Retry-After"), 10, 32)
	if err != nil {
		return -1
	}
	return time.Duration(float64(min(seconds, 300)) * float64(time.Second) * (1 + mathrand.Float64()/4))
}

// pause waits for the delay, or until ctx is done.
func pause(ctx context.Context, long time.Duration) error {
	timer := time.NewTimer(long)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-timer.C:
		return nil
	}
}

// keyOr returns the caller's key, or a generated one.
func keyOr(key string) string {
	if key != "" {
		return key
	}
	random := make([]byte, 16)
	// It never returns an error, because the program crashes if no randomness is available.
	_, _ = rand.Read(random)
	return fmt.Sprintf("%x", random)
}
