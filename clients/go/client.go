// Package countersign asks a person before something is done.
//
// A [Client] asks the owner of a Countersign service and waits for the answer:
//
//	client, err := countersign.New(countersign.Config{})
//	if err != nil {
//		log.Fatal(err)
//	}
//	answer, err := client.Ask(ctx, countersign.ApprovalRequest{
//		Question: "Ship build 418?",
//		Options:  []countersign.Option{{ID: "ship", Label: "Ship now"}, {ID: "wait", Label: "Wait"}},
//	})
//	if err == nil && answer.Yes("ship") {
//		ship()
//	}
//
// Every call that changes something carries an Idempotency-Key, so it is safe to retry, and is retried while the service is away.
// [VerifyWebhook] and [VerifyReceipt] check what arrives elsewhere.
package countersign

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"
)

// Config says where the service is, and how it is reached. Its zero value reads the environment.
type Config struct {
	// BaseURL is where the service is, like https://yes.example.com; COUNTERSIGN_URL unless set.
	BaseURL string
	// Token is an access token or a personal token; COUNTERSIGN_TOKEN unless set.
	Token string
	// TokenSource gives a token that changes, in place of Token. It is asked once more with the token that was refused;
	// refused is empty otherwise.
	TokenSource func(ctx context.Context, refused string) (string, error)
	// HTTPClient is one of your own. It never follows redirects here, since a token goes nowhere else.
	HTTPClient *http.Client
	// Timeout is how long any reply may take, besides what it was asked to wait; 20 seconds unless set.
	Timeout time.Duration
	// Patience is how long a call is tried again while the service is away; one minute unless set, not at all if negative.
	Patience time.Duration
	// OnRetry is called before each pause after which a call is tried again, for example to log it.
	OnRetry func(Retry)
	// AllowSimulated lets [Answer.Yes] accept answers of "countersign simulate". For tests only. It is also on where
	// COUNTERSIGN_ALLOW_SIMULATED is 1 in the environment.
	AllowSimulated bool
}

// Version is the version of this module.
const Version = "0.1.0"

// Client reaches one service as one app. Goroutines may share it.
type Client struct {
	// Approvals are what this app asks its owner.
	Approvals *Approvals
	// Notifications are what this app tells its owner, without a question.
	Notifications *Notifications
	// Integrations are the accounts that the owner linked.
	Integrations *Integrations

	calls *calls
}

// New makes a client. It fails where it is not told which service or which app; it sends nothing yet.
func New(config Config) (*Client, error) {
	if config.BaseURL == "" {
		config.BaseURL = os.Getenv("COUNTERSIGN_URL")
	}
	if config.Token == "" {
		config.Token = os.Getenv("COUNTERSIGN_TOKEN")
	}
	if config.BaseURL == "" {
		return nil, errors.New("countersign: no service address. Set BaseURL, or COUNTERSIGN_URL")
	}
	if config.Token == "" && config.TokenSource == nil {
		return nil, errors.New("countersign: no token. Set Token, or COUNTERSIGN_TOKEN")
	}
	config.BaseURL = strings.TrimRight(config.BaseURL, "/")
	if base, err := url.Parse(config.BaseURL); err != nil || base.Host == "" {
		return nil, fmt.Errorf("countersign: %q is not an address like https://yes.example.com", config.BaseURL)
	}
	if os.Getenv("COUNTERSIGN_ALLOW_SIMULATED") == "1" {
		config.AllowSimulated = true
	}
	if config.Timeout <= 0 {
		config.Timeout = 20 * time.Second
	}
	if config.Patience == 0 {
		config.Patience = time.Minute
	}
	client := http.Client{}
	if config.HTTPClient != nil {
		client = *config.HTTPClient
	}
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	config.HTTPClient = &client

	calls := &calls{config}
	return &Client{&Approvals{calls}, &Notifications{calls}, &Integrations{calls}, calls}, nil
}

// Ask asks, and waits for the answer for as long as ctx lasts. It goes on over restarts of the service and broken
// connections, and never asks twice: with the same [ApprovalRequest.Key] within 24 hours not even a program that was started
// again does.
//
// It fails with a [NoAnswerError] when ctx is over or the question's deadline passed, and with an [Error] when the service refuses.
func (c *Client) Ask(ctx context.Context, question ApprovalRequest, options ...WaitOption) (*Answer, error) {
	var created struct{ ID string }
	if err := c.calls.json(ctx, submission(question, forever), &created); err != nil {
		return nil, unlessLate(ctx, "", err)
	}
	how := waiting(options)
	if how.onAsked != nil {
		how.onAsked(created.ID)
	}
	return c.Approvals.wait(ctx, created.ID, how)
}

// Events are what happens after an event, or from the first there is, until ctx is over. Keep the ID of the last one that was
// dealt with, and begin after it next time: nothing is passed over.
func (c *Client) Events(ctx context.Context, after string) iter.Seq2[*Event, error] {
	return func(yield func(*Event, error) bool) {
		for {
			var page struct {
				Data       []*Event
				NextCursor string
			}
			query := map[string]string{"after": after, "wait": "60"}
			reading := call{method: http.MethodGet, path: "/api/events", query: query, waits: longestWait, patience: forever}
			if err := c.calls.json(ctx, reading, &page); err != nil {
				yield(nil, err)
				return
			}
			for _, event := range page.Data {
				if !yield(event, nil) {
					return
				}
			}
			after = page.NextCursor
		}
	}
}
