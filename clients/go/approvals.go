package countersign

import (
	"context"
	"errors"
	"iter"
	"net/http"
	"net/url"
	"strconv"
	"time"
)

// Approvals are what this app asks its owner.
type Approvals struct{ calls *calls }

// Create asks without waiting, and gives the approval's id: [Approvals.Wait] waits for the answer later, here or in another
// program.
func (a *Approvals) Create(ctx context.Context, question ApprovalRequest) (string, error) {
	var created struct{ ID string }
	err := a.calls.json(ctx, submission(question, 0), &created)
	return created.ID, err
}

func submission(question ApprovalRequest, patience time.Duration) call {
	key := keyOr(question.Key)
	return call{method: http.MethodPost, path: "/api/approvals", body: question, key: key, patience: patience}
}

// Get reads one approval as it is now.
func (a *Approvals) Get(ctx context.Context, id string) (*Approval, error) {
	approval := &Approval{}
	if err := a.read(ctx, id, "", approval); err != nil {
		return nil, err
	}
	return approval, nil
}

// ApprovalFilter says which approvals to list. Its zero value lists all.
type ApprovalFilter struct {
	// Status is pending or resolved; both unless set.
	Status string
	// Limit is how many at most; all unless set.
	Limit int
}

// List reads what this app has asked, newest first, page after page.
func (a *Approvals) List(ctx context.Context, filter ApprovalFilter) iter.Seq2[*Approval, error] {
	return pages[Approval](ctx, a.calls, "/api/approvals", map[string]string{"status": filter.Status}, filter.Limit)
}

// Wait waits for the answer to what was asked before, for as long as ctx lasts, over restarts of the service and of this program.
// It fails with a [NoAnswerError] when ctx is over or the question's deadline passed.
func (a *Approvals) Wait(ctx context.Context, id string, options ...WaitOption) (*Answer, error) {
	return a.wait(ctx, id, waiting(options))
}

// Add tells the owner more about what waits, for one thing when they asked back. It is shown beneath the question.
func (a *Approvals) Add(ctx context.Context, id, text string) error {
	return a.post(ctx, id, "/additions", map[string]string{"text": text}, "")
}

// Report tells the owner what came of their answer. The latest report counts.
func (a *Approvals) Report(ctx context.Context, id string, outcome OutcomeRequest) error {
	return a.post(ctx, id, "/outcome", outcome, "")
}

// Receipt reads the signed receipt of an answer as text, a compact JWS, which [VerifyReceipt] checks anywhere.
func (a *Approvals) Receipt(ctx context.Context, id string) (string, error) {
	var signed struct{ Receipt string }
	err := a.read(ctx, id, "/receipt", &signed)
	return signed.Receipt, err
}

// Resolve answers one's own question, which needs the scope approvals:resolve. It is recorded as api, never as the owner's.
func (a *Approvals) Resolve(ctx context.Context, id string, answer AnswerRequest) error {
	kind := "option"
	if answer.OptionID == "" {
		kind = "other"
	}
	body := struct {
		Kind string `json:"kind"`
		AnswerRequest
	}{kind, answer}
	return a.post(ctx, id, "/resolve", body, answer.Key)
}

func (a *Approvals) read(ctx context.Context, id, more string, value any) error {
	path, err := approvalAt(id, more)
	if err != nil {
		return err
	}
	return a.calls.json(ctx, call{method: http.MethodGet, path: path}, value)
}

func (a *Approvals) post(ctx context.Context, id, more string, body any, key string) error {
	path, err := approvalAt(id, more)
	if err != nil {
		return err
	}
	var done struct{ OK bool }
	return a.calls.json(ctx, call{method: http.MethodPost, path: path, body: body, key: keyOr(key)}, &done)
}

func approvalAt(id, more string) (string, error) {
	if id == "" {
		return "", errors.New("countersign: no approval id was given")
	}
	return "/api/approvals/" + url.PathEscape(id) + more, nil
}

const largestPage = 200

// pages reads a list page after page, limit items at most unless that is 0.
func pages[T any](ctx context.Context, calls *calls, path string, filter map[string]string, limit int) iter.Seq2[*T, error] {
	return func(yield func(*T, error) bool) {
		query := map[string]string{}
		for name, value := range filter {
			query[name] = value
		}
		for left := limit; ; {
			if limit > 0 {
				query["limit"] = strconv.Itoa(min(left, largestPage))
			}
			var page struct {
				Data       []*T
				NextCursor string
			}
			if err := calls.json(ctx, call{method: http.MethodGet, path: path, query: query}, &page); err != nil {
				yield(nil, err)
				return
			}
			for _, it := range page.Data {
				if !yield(it, nil) {
					return
				}
			}
			left -= len(page.Data)
			if page.NextCursor == "" || limit > 0 && left <= 0 {
				return
			}
			query["cursor"] = page.NextCursor
		}
	}
}
