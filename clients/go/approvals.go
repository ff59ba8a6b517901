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

// Approvals are this app's questions to its owner.
type Approvals struct{ calls *calls }

// Create asks without waiting, and returns the approval's ID. [Approvals.Wait] waits for the answer later, here or in another
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

// Get reads one approval in its current state.
func (a *Approvals) Get(ctx context.Context, id string) (*Approval, error) {
	approval := &Approval{}
	if err := a.read(ctx, id, "", approval); err != nil {
		return nil, err
	}
	return approval, nil
}

// ApprovalFilter selects the approvals to list. Its zero value lists all.
type ApprovalFilter struct {
	// Status is pending or resolved. By default, both are listed.
	Status string
	// Limit is the maximum number of approvals. By default, there is no limit.
	Limit int
}

// List iterates over this app's approvals, newest first, page by page.
func (a *Approvals) List(ctx context.Context, filter ApprovalFilter) iter.Seq2[*Approval, error] {
	return pages[Approval](ctx, a.calls, "/api/approvals", map[string]string{"status": filter.Status}, filter.Limit)
}

// Wait waits for the answer to an earlier question until ctx is done. It survives restarts of the service and of this program.
// It returns a [NoAnswerError] when ctx is done or the question's deadline passes.
func (a *Approvals) Wait(ctx context.Context, id string, options ...WaitOption) (*Answer, error) {
	return a.wait(ctx, id, waiting(options))
}

// Add adds information to a pending approval, for example after a question back. It appears below the question.
func (a *Approvals) Add(ctx context.Context, id, text string) error {
	return a.post(ctx, id, "/additions", map[string]string{"text": text}, "")
}

// Report reports the outcome to the owner. The latest report is shown.
func (a *Approvals) Report(ctx context.Context, id string, outcome OutcomeRequest) error {
	return a.post(ctx, id, "/outcome", outcome, "")
}

// Receipt returns the signed receipt of an answer: a compact JWS that [VerifyReceipt] can check anywhere.
func (a *Approvals) Receipt(ctx context.Context, id string) (string, error) {
	var signed struct{ Receipt string }
	err := a.read(ctx, id, "/receipt", &signed)
	return signed.Receipt, err
}

// Use uses the owner's answer for one action, immediately before the action. The first use wins.
// If the answer can't be used, the [Error] is an [ErrConflict], and its first detail has a Reason:
// used, withdrawn, not_owner, content_mismatch or values_mismatch.
func (a *Approvals) Use(ctx context.Context, id string, use UseRequest) (*Use, error) {
	path, err := approvalAt(id, "/use")
	if err != nil {
		return nil, err
	}
	used := &Use{}
	if err := a.calls.json(ctx, call{method: http.MethodPost, path: path, body: use, key: keyOr(use.Key)}, used); err != nil {
		return nil, err
	}
	return used, nil
}

// Resolve answers the app's own question. It needs the scope approvals:resolve, and is recorded as api, never as the owner's answer.
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
		return "", errors.New("countersign: the approval ID is missing")
	}
	return "/api/approvals/" + url.PathEscape(id) + more, nil
}

const largestPage = 200

// pages reads a list page by page, with at most limit items. Zero means no limit.
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
