package countersign

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
)

// guarded is a fake service with one approval, apr_1, which the owner has answered. It uses answers as
// the service does.
type guarded struct {
	chosen, by            string
	withdrawn, unreported bool
	// afterReceipt runs when a program has read the receipt.
	afterReceipt func()
	asked        map[string]any
	keys         []string
	outcomes     []string
}

func (g *guarded) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	text, _ := io.ReadAll(r.Body)
	send := func(status int, body any) {
		w.WriteHeader(status)
		_ = json.NewEncoder(w).Encode(body)
	}
	resolution := fields{"kind": "option", "optionId": g.chosen, "resolvedBy": g.by, "resolvedAt": 2}
	switch strings.TrimPrefix(r.URL.Path, "/api/approvals") {
	case "":
		_ = json.Unmarshal(text, &g.asked)
		send(201, fields{"id": "apr_1"})
	case "/apr_1":
		read := fields{"_id": "apr_1", "clientId": "app_1", "status": "resolved", "resolution": resolution, "dueAt": 7,
			"additions": []Said{{Text: "More", CreatedAt: 5}}}
		if len(g.keys) > 0 {
			read["usedAt"] = 4
		}
		if g.withdrawn {
			read["withdrawnAt"] = 6
		}
		for name, value := range g.asked {
			read[name] = value
		}
		send(200, read)
	case "/apr_1/receipt":
		hash, _ := ContentHash(g.content())
		send(200, fields{"receipt": signed(private, nil, fields{"contentHash": hash, "resolution": resolution})})
		if g.afterReceipt != nil {
			g.afterReceipt()
		}
	case "/apr_1/use":
		g.use(send, text, r.Header.Get("Idempotency-Key"))
	case "/apr_1/outcome":
		var it OutcomeRequest
		_ = json.Unmarshal(text, &it)
		if g.unreported {
			send(403, fields{"error": "Forbidden"})
			return
		}
		g.outcomes = append(g.outcomes, strings.TrimSpace(it.Status+" "+it.Text))
		send(200, fields{"ok": true})
	case "/.well-known/jwks.json":
		_, _ = io.WriteString(w, jwks)
	default:
		send(404, fields{"error": "Not found"})
	}
}

func (g *guarded) content() fields {
	content := fields{"additions": []Said{{Text: "More", CreatedAt: 5}}}
	for name, value := range g.asked {
		content[name] = value
	}
	return content
}

func (g *guarded) use(send func(int, any), text []byte, key string) {
	hash, _ := ContentHash(g.content())
	var it UseRequest
	_ = json.Unmarshal(text, &it)
	detail := fields{"path": "", "message": "No"}
	switch {
	case it.ContentHash != hash:
		detail["reason"] = "content_mismatch"
	case g.withdrawn:
		detail["reason"], detail["withdrawnAt"] = "withdrawn", 6
	case len(g.keys) > 0 && !slices.Contains(g.keys, key):
		detail["reason"], detail["usedAt"], detail["usedBy"] = "used", 4, "app"
	default:
		g.keys = append(g.keys, key)
		send(200, fields{"usedAt": 4, "receipt": "a.b.c"})
		return
	}
	send(409, fields{"error": "Conflict", "details": []fields{detail}})
}

var (
	paying = ApprovalRequest{Question: "Pay?", Options: options, OwnerOnly: true, Once: true, Key: "invoice-7"}
	asOwn  = GuardOptions{Option: "yes", Issuer: "https://yes.example.com", Owner: "own_1"}
)

// guarding returns a client of a fake service whose owner chose this option.
func guarding(t *testing.T, chosen string) (*guarded, *Client) {
	t.Helper()
	fake := &guarded{chosen: chosen, by: "owner"}
	server := httptest.NewServer(fake)
	t.Cleanup(server.Close)
	return fake, must(New(Config{BaseURL: server.URL, Token: "secret", Patience: -1}))(t)
}

func TestGuardRunsAnApprovedActionOnce(t *testing.T) {
	fake, client := guarding(t, "yes")
	ran := 0
	work := func(context.Context) error {
		ran++
		equal(t, len(fake.keys), 1)
		equal(t, fmt.Sprint(fake.outcomes), "[started]")
		return nil
	}
	equal(t, client.Guard(ctx, paying, asOwn, work), nil)
	equal(t, fake.asked["once"], true)
	equal(t, fmt.Sprint(fake.outcomes), "[started done]")
	// A new start finds the used answer, as if the program had died between the use and the run.
	fake.outcomes = nil
	err := client.Guard(ctx, paying, asOwn, work)
	var stopped *NotRunError
	equal(t, errors.As(err, &stopped) && stopped.ID == "apr_1" && strings.Contains(err.Error(), "may have taken effect"), true)
	equal(t, ran, 1)
	equal(t, len(fake.outcomes), 0)
}

func TestGuardDoesNotRunWithoutAValidAnswer(t *testing.T) {
	for why, change := range map[string]func(*guarded, *GuardOptions, *ApprovalRequest){
		"did not approve":       func(it *guarded, _ *GuardOptions, _ *ApprovalRequest) { it.chosen = "no" },
		"expected answer":       func(it *guarded, _ *GuardOptions, _ *ApprovalRequest) { it.by = "api" },
		"withdrew the approval": func(it *guarded, _ *GuardOptions, _ *ApprovalRequest) { it.withdrawn = true },
		"an earlier attempt":    func(it *guarded, _ *GuardOptions, _ *ApprovalRequest) { it.keys = []string{"k"} },
		"owner does not match":  func(_ *guarded, how *GuardOptions, _ *ApprovalRequest) { how.Owner = "own_2" },
		"aud does not match":    func(_ *guarded, how *GuardOptions, _ *ApprovalRequest) { how.Audience = "app_2" },
		"iss does not match":    func(_ *guarded, how *GuardOptions, _ *ApprovalRequest) { how.Issuer = "" },
		"no option approve":     func(_ *guarded, how *GuardOptions, _ *ApprovalRequest) { how.Option = "" },
		"must have a Key":       func(_ *guarded, _ *GuardOptions, asked *ApprovalRequest) { asked.Key = "" },
		"was not run again": func(it *guarded, _ *GuardOptions, _ *ApprovalRequest) {
			it.afterReceipt = func() { it.keys = []string{"k"} }
		},
		"approval of this action": func(it *guarded, _ *GuardOptions, _ *ApprovalRequest) {
			it.afterReceipt = func() { it.withdrawn = true }
		},
		"countersign: Conflict: No": func(it *guarded, _ *GuardOptions, _ *ApprovalRequest) {
			it.afterReceipt = func() { it.asked["question"] = "Another?" }
		},
		"does not publish": func(_ *guarded, how *GuardOptions, _ *ApprovalRequest) {
			how.Keys = must(ParseKeySet([]byte(`{"keys":[]}`)))(t)
		},
	} {
		fake, client := guarding(t, "yes")
		options, asked := asOwn, paying
		change(fake, &options, &asked)
		err := client.Guard(ctx, asked, options, func(context.Context) error { t.Error("ran: " + why); return nil })
		if err == nil || !strings.Contains(err.Error(), why) {
			t.Errorf("%v, want %s", err, why)
		}
		equal(t, len(fake.outcomes), 0)
	}
}

func TestGuardReportsAFailedAction(t *testing.T) {
	fake, client := guarding(t, "approve")
	away := errors.New("The bank\x00 is away")
	options := asOwn
	options.Option, options.Owner = "", ""
	over, cancel := context.WithCancel(ctx)
	asked := paying
	asked.Options = []Option{{ID: "approve", Label: "Approve"}}
	err := client.Guard(over, asked, options, func(context.Context) error { cancel(); return away })
	equal(t, errors.Is(err, away), true)
	equal(t, strings.Join(fake.outcomes, ","), "started,failed The bank  is away")
}

func TestGuardRunsEvenIfItsReportsFail(t *testing.T) {
	fake, client := guarding(t, "yes")
	fake.unreported = true
	ran := false
	equal(t, client.Guard(ctx, paying, asOwn, func(context.Context) error { ran = true; return nil }), nil)
	equal(t, ran && len(fake.keys) == 1, true)
}

func TestUsesAnAnswerWithOneKey(t *testing.T) {
	fake, client := guarding(t, "yes")
	id := must(client.Approvals.Create(ctx, paying))(t)
	hash := must(ContentHash(fake.content()))(t)
	first := must(client.Approvals.Use(ctx, id, UseRequest{ContentHash: hash, Key: "k1"}))(t)
	equal(t, *must(client.Approvals.Use(ctx, id, UseRequest{ContentHash: hash, Key: "k1"}))(t), *first)
	equal(t, *first, Use{UsedAt: 4, Receipt: "a.b.c"})
	read := must(client.Approvals.Get(ctx, id))(t)
	equal(t, read.Once && read.DueAt == 7 && read.UsedAt == 4 && read.WithdrawnAt == 0, true)
	_, err := client.Approvals.Use(ctx, id, UseRequest{ContentHash: hash})
	var refused *Error
	equal(t, errors.As(err, &refused) && errors.Is(err, ErrConflict), true)
	equal(t, refused.Details[0], Detail{Message: "No", Reason: "used", UsedAt: 4, UsedBy: "app"})
	fake.withdrawn = true
	_, err = client.Approvals.Use(ctx, id, UseRequest{ContentHash: hash})
	equal(t, errors.As(err, &refused) && refused.Details[0].WithdrawnAt == 6, true)
}
