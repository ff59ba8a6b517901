package countersign

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"os"
	"strings"
	"testing"
)

// These tests need a service whose rules reject deletions, and COUNTERSIGN_URL, COUNTERSIGN_TOKEN,
// COUNTERSIGN_ISSUER and COUNTERSIGN_OWNER.
func real(t *testing.T) *Client {
	t.Helper()
	if os.Getenv("COUNTERSIGN_URL") == "" {
		t.Skip("needs a service: COUNTERSIGN_URL")
	}
	return must(New(Config{}))(t)
}

func must[T any](value T, err error) func(*testing.T) T {
	return func(t *testing.T) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return value
	}
}

func refusedWith(err error, status int) bool {
	var refused *Error
	return errors.As(err, &refused) && refused.Status == status && refused.RequestID != ""
}

func TestServiceReturnsAVerifiableAnswer(t *testing.T) {
	client := real(t)
	asked := ApprovalRequest{Question: "Ship <it>?", OwnerOnly: true, Risk: "low", Facts: []Fact{{Label: "Build", Value: `418 "ä"`}},
		Options: []Option{{ID: "yes", Label: "Yes", Note: "Ärger"}, {ID: "no", Label: "No", Style: "danger"}}}
	heard := ""
	answer := must(client.Ask(ctx, asked, OnAsked(func(id string) { heard = id })))(t)
	equal(t, answer.Yes("yes") && answer.Simulated, true)
	equal(t, heard, answer.ID)
	answer.allowSimulated = false
	equal(t, answer.Yes("yes"), false)
	approval := must(client.Approvals.Get(ctx, answer.ID))(t)
	equal(t, len(approval.Facts) == 1 && approval.Facts[0] == asked.Facts[0], true)
	equal(t, must(ContentHash(asked))(t), approval.ContentHash)
	equal(t, must(ContentHash(approval))(t), approval.ContentHash)

	jws := must(client.Approvals.Receipt(ctx, answer.ID))(t)
	wanted := ReceiptChecks{
		Issuer: os.Getenv("COUNTERSIGN_ISSUER"), Audience: approval.ClientID, Owner: os.Getenv("COUNTERSIGN_OWNER"),
		ApprovalID: answer.ID, Content: asked, AllowSimulated: true,
		Keys: NewKeySet(os.Getenv("COUNTERSIGN_URL")+"/.well-known/jwks.json", nil),
	}
	equal(t, must(VerifyReceipt(ctx, jws, wanted))(t).Yes("yes"), true)
	for why, checks := range map[string]ReceiptChecks{
		"owner does not match": func(it ReceiptChecks) ReceiptChecks { it.Owner = "own_other"; return it }(wanted),
		"simulated":            func(it ReceiptChecks) ReceiptChecks { it.AllowSimulated = false; return it }(wanted),
	} {
		_, err := VerifyReceipt(ctx, jws, checks)
		equal(t, err != nil && strings.Contains(err.Error(), why), true)
	}
	equal(t, client.Approvals.Report(ctx, answer.ID, OutcomeRequest{Status: "done", Text: "Shipped", Link: "https://example.com/4"}), nil)
	outcome := must(client.Approvals.Get(ctx, answer.ID))(t).Outcome
	equal(t, outcome.Status+" "+outcome.Text+" "+outcome.Link, "done Shipped https://example.com/4")
}

func TestServiceCreatesOneApprovalPerKey(t *testing.T) {
	client := real(t)
	asked := ApprovalRequest{Question: "Delete it?", Options: options, Key: keyOr("")}
	id := must(client.Approvals.Create(ctx, asked))(t)
	equal(t, must(client.Approvals.Create(ctx, asked))(t), id)
	answer := must(client.Approvals.Wait(ctx, id))(t)
	equal(t, answer.Chosen, "no")
	equal(t, answer.Yes("yes"), false)
	equal(t, strings.Contains(answer.Note, "Never on Mondays"), true)
	asked.Question = "Delete another?"
	_, err := client.Approvals.Create(ctx, asked)
	equal(t, refusedWith(err, 422), true)
}

func TestServiceUsesAnAnswerOnce(t *testing.T) {
	client := real(t)
	asked := ApprovalRequest{Question: "Pay?", Options: options, OwnerOnly: true, Once: true, Key: keyOr("")}
	how := GuardOptions{Option: "yes", Issuer: os.Getenv("COUNTERSIGN_ISSUER"), Owner: os.Getenv("COUNTERSIGN_OWNER")}
	ran := 0
	work := func(context.Context) error { ran++; return nil }
	equal(t, client.Guard(ctx, asked, how, work), nil)
	var stopped *NotRunError
	equal(t, errors.As(client.Guard(ctx, asked, how, work), &stopped), true)
	equal(t, ran, 1)
	id := must(client.Approvals.Create(ctx, asked))(t)
	read := must(client.Approvals.Get(ctx, id))(t)
	equal(t, read.Once && read.UsedAt > 0 && read.Outcome.Status == "done", true)
	_, err := client.Approvals.Use(ctx, id, UseRequest{ContentHash: read.ContentHash})
	var refused *Error
	equal(t, errors.As(err, &refused) && refused.Details[0].Reason == "used" && refused.Details[0].UsedAt == read.UsedAt, true)

	other := must(client.Ask(ctx, ApprovalRequest{Question: "Ship?", Options: options}))(t)
	use := UseRequest{ContentHash: must(client.Approvals.Get(ctx, other.ID))(t).ContentHash, Key: "k1"}
	first := must(client.Approvals.Use(ctx, other.ID, use))(t)
	equal(t, *must(client.Approvals.Use(ctx, other.ID, use))(t), *first)
}

func TestServiceResolvesAnApprovalOnce(t *testing.T) {
	client := real(t)
	id := must(client.Approvals.Create(ctx, ApprovalRequest{Question: "Leave it?", Options: options}))(t)
	equal(t, client.Approvals.Add(ctx, id, "There is no hurry"), nil)
	read := must(client.Approvals.Get(ctx, id))(t)
	equal(t, read.Additions[0].Text, "There is no hurry")
	equal(t, must(ContentHash(read))(t), read.ContentHash)
	equal(t, client.Approvals.Resolve(ctx, id, AnswerRequest{OtherText: "No one came", Note: "automatically"}), nil)
	resolution := must(client.Approvals.Get(ctx, id))(t).Resolution
	equal(t, resolution.OtherText+" "+resolution.ResolvedBy, "No one came api")
	equal(t, refusedWith(client.Approvals.Resolve(ctx, id, AnswerRequest{OptionID: "yes"}), 409), true)
	found := false
	for it, err := range client.Approvals.List(ctx, ApprovalFilter{Status: "resolved", Limit: 5}) {
		found = found || must(it, err)(t).ID == id
	}
	equal(t, found, true)
	_, err := client.Approvals.Create(ctx, ApprovalRequest{Options: options})
	var refused *Error
	equal(t, errors.As(err, &refused) && refused.Details[0].Path == "question", true)
	equal(t, err.Error() != "", true)
}

func TestServiceListsCreatedNotifications(t *testing.T) {
	client := real(t)
	ids := make([]string, 3)
	for n := range ids {
		ids[n] = must(client.Notifications.Create(ctx, NotificationRequest{
			Title: "Told", Body: "In words", Type: "test-go", Data: map[string]int{"n": n},
		}))(t)
	}
	var listed []string
	for it, err := range client.Notifications.List(ctx, NotificationFilter{Type: "test-go"}) {
		listed = append([]string{must(it, err)(t).ID}, listed...)
	}
	equal(t, strings.Join(listed, " "), strings.Join(ids, " "))
	read := must(client.Notifications.Get(ctx, ids[1]))(t)
	equal(t, read.Title+" "+read.Body+" "+string(read.Data), `Told In words {"n":1}`)
	equal(t, len(must(client.Integrations.List(ctx))(t)), 0)
	for event, err := range client.Events(ctx, "") {
		var data struct{ ID string }
		equal(t, json.Unmarshal(must(event, err)(t).Data, &data), nil)
		if data.ID == ids[2] {
			equal(t, event.Type, "notification.pushed")
			break
		}
	}
	stranger := must(New(Config{Token: "nobody"}))(t)
	_, err := stranger.Integrations.List(ctx)
	equal(t, refusedWith(err, http.StatusUnauthorized), true)
}
