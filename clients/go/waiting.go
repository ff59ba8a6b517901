package countersign

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"time"
)

// longestWait is the maximum wait of one call.
const longestWait = 60 * time.Second

// WaitOption configures how to wait for an answer.
type WaitOption func(*waitOptions)

type waitOptions struct {
	onAsked    func(id string)
	onQuestion func(ctx context.Context, question, id string) (string, error)
}

// OnAsked receives the approval's ID as soon as [Client.Ask] knows it. Store it if your program may stop while it waits.
func OnAsked(hear func(id string)) WaitOption {
	return func(how *waitOptions) { how.onAsked = hear }
}

// OnQuestion receives the owner's question back and the approval's ID, and can return a reply. With an empty reply, or without
// this option, the wait continues. An error ends the wait.
func OnQuestion(reply func(ctx context.Context, question, id string) (string, error)) WaitOption {
	return func(how *waitOptions) { how.onQuestion = reply }
}

func waiting(options []WaitOption) (how waitOptions) {
	for _, option := range options {
		option(&how)
	}
	return how
}

func (a *Approvals) wait(ctx context.Context, id string, how waitOptions) (*Answer, error) {
	for heard := 0; ; {
		approval, headers, err := a.look(ctx, id)
		if err != nil {
			return nil, unlessLate(ctx, id, err)
		}
		if approval.Resolution != nil {
			return answerOf(id, *approval.Resolution, a.calls.config.AllowSimulated), nil
		}
		if approval.DeadlinePassed {
			return nil, &NoAnswerError{ID: id, DeadlinePassed: true}
		}
		// If an addition is newer than a question, this program may have replied to it before a restart.
		var said Millis
		if last := len(approval.Additions) - 1; last >= 0 {
			said = approval.Additions[last].CreatedAt
		}
		questions := approval.Questions[min(heard, len(approval.Questions)):]
		for _, asked := range questions {
			if how.onQuestion == nil || asked.CreatedAt <= said {
				continue
			}
			if err := a.reply(ctx, id, asked.Text, how); err != nil {
				return nil, unlessLate(ctx, id, err)
			}
		}
		heard = len(approval.Questions)
		if len(questions) > 0 {
			continue
		}
		// An early response states when to retry. The pause prevents a tight polling loop.
		seconds, err := strconv.ParseUint(headers.Get("Retry-After"), 10, 16)
		if err != nil {
			seconds = 1
		}
		if err := pause(ctx, time.Duration(seconds)*time.Second); err != nil {
			return nil, unlessLate(ctx, id, err)
		}
	}
}

// look reads an approval until it is answered or the time for one call ends.
func (a *Approvals) look(ctx context.Context, id string) (*Approval, http.Header, error) {
	seconds := longestWait
	if end, ends := ctx.Deadline(); ends {
		seconds = max(0, min(seconds, time.Until(end))).Truncate(time.Second)
	}
	path, err := approvalAt(id, "")
	if err != nil {
		return nil, nil, err
	}
	reading := call{method: http.MethodGet, path: path, waits: seconds, patience: forever}
	if seconds > 0 {
		reading.query = map[string]string{"wait": strconv.Itoa(int(seconds / time.Second))}
	}
	var headers http.Header
	reading.headers = func(it http.Header) { headers = it }
	approval := &Approval{}
	err = a.calls.json(ctx, reading, approval)
	return approval, headers, err
}

func (a *Approvals) reply(ctx context.Context, id, question string, how waitOptions) error {
	text, err := how.onQuestion(ctx, question, id)
	if err != nil || text == "" {
		return err
	}
	err = a.Add(ctx, id, text)
	// The owner has answered in the meantime, so the next poll returns the answer.
	var refused *Error
	if errors.As(err, &refused) && refused.Status == http.StatusConflict {
		return nil
	}
	return err
}

// unlessLate returns the error, or a [NoAnswerError] if the caller's context is done.
func unlessLate(ctx context.Context, id string, err error) error {
	if cause := context.Cause(ctx); cause != nil && errors.Is(err, cause) {
		return &NoAnswerError{ID: id, cause: cause}
	}
	return err
}
