package countersign

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// An [Error] is one of these for [errors.Is], by its HTTP status: errors.Is(err, countersign.ErrNotFound).
var (
	// ErrUnreachable is for a service that sent no response.
	ErrUnreachable error = statusError(0)
	// ErrBadRequest is for 400: the Details say what is wrong, field by field.
	ErrBadRequest error = statusError(http.StatusBadRequest)
	// ErrUnauthorized is for 401: the token is unknown, expired or revoked.
	ErrUnauthorized error = statusError(http.StatusUnauthorized)
	// ErrForbidden is for 403: the token lacks a permission.
	ErrForbidden error = statusError(http.StatusForbidden)
	// ErrNotFound is for 404: it does not exist, or belongs to another app or owner.
	ErrNotFound error = statusError(http.StatusNotFound)
	// ErrConflict is for 409: for example, the approval was resolved before.
	ErrConflict error = statusError(http.StatusConflict)
	// ErrGone is for 410: for example, the events after a cursor were deleted.
	ErrGone error = statusError(http.StatusGone)
	// ErrKeyReused is for 422: an idempotency key was used for another request.
	ErrKeyReused error = statusError(http.StatusUnprocessableEntity)
	// ErrRateLimited is for 429: too many requests.
	ErrRateLimited error = statusError(http.StatusTooManyRequests)
)

// statusError is what all errors with one HTTP status are.
type statusError int

func (s statusError) Error() string {
	if s == 0 {
		return "countersign: the service could not be reached"
	}
	return "countersign: " + strings.ToLower(http.StatusText(int(s)))
}

// Detail is what is wrong with one field of a request.
type Detail struct {
	// Path is the field, like options.0.label; empty for the whole request.
	Path string
	// Message is what is wrong with it.
	Message string
}

// Error says that the service refused, or could not be reached for as long as was waited.
type Error struct {
	// Message is what the service said, with the details.
	Message string
	// Status is the HTTP status; 0 where there was no reply.
	Status int
	// Details are told with 400, what is wrong field by field, and with 401, what is wrong with the token.
	Details []Detail
	// RequestID is what to quote when you report a problem.
	RequestID string

	cause error
}

func (e *Error) Error() string { return "countersign: " + e.Message }

// Unwrap gives why the service could not be reached.
func (e *Error) Unwrap() error { return e.cause }

// Is reports whether target is the sentinel of this error's status, such as [ErrNotFound].
func (e *Error) Is(target error) bool {
	status, known := target.(statusError)
	return known && int(status) == e.Status
}

// Retry is a failed attempt that is followed by another one.
type Retry struct {
	// Attempt is which attempt failed: 1 for the first.
	Attempt int
	// Delay is how long the client waits before the next attempt.
	Delay time.Duration
	// Reason is why it failed. The message of an unreachable service names its address and the cause.
	Reason *Error
}

// unreachable is the error for a request that got no response. It names the address once, as the service's and not as the request's.
func unreachable(baseURL string, cause error) *Error {
	reason := cause
	var request *url.Error
	if errors.As(cause, &request) {
		reason = request.Err
	}
	return &Error{Message: "The service at " + baseURL + " could not be reached: " + reason.Error(), cause: cause}
}

// NoAnswerError says that the owner has not answered in time: in the caller's, after which the question still waits and
// [Approvals.Wait] resumes, or before its deadline.
type NoAnswerError struct {
	// ID is the approval's; empty when the service could not even be asked.
	ID string
	// DeadlinePassed is whether it cannot be answered any more.
	DeadlinePassed bool

	cause error
}

func (e *NoAnswerError) Error() string {
	if e.DeadlinePassed {
		return "countersign: the deadline passed without an answer"
	}
	return "countersign: the owner has not answered in time"
}

// Unwrap gives why the context was over, such as [context.DeadlineExceeded].
func (e *NoAnswerError) Unwrap() error { return e.cause }

// VerificationError says that a receipt or a webhook does not prove what it should.
type VerificationError struct {
	// Reason is why not.
	Reason string

	cause error
}

func (e *VerificationError) Error() string { return "countersign: not proven: " + e.Reason }

// Unwrap gives what stood in the way of a proof, such as keys that cannot be read.
func (e *VerificationError) Unwrap() error { return e.cause }

func notProven(reason string) error { return &VerificationError{Reason: reason} }

// refusal is what a reply other than success says.
func refusal(reply *http.Response, text []byte) *Error {
	var said struct {
		Error   string
		Details []Detail
	}
	if json.Unmarshal(text, &said) != nil || said.Error == "" {
		said.Error = fmt.Sprintf("HTTP status %d", reply.StatusCode)
	}
	parts := make([]string, len(said.Details))
	for i, it := range said.Details {
		parts[i] = it.Message
		if it.Path != "" {
			parts[i] = it.Path + ": " + it.Message
		}
	}
	message := said.Error
	if len(parts) > 0 {
		message += ": " + strings.Join(parts, "; ")
	}
	return &Error{Message: message, Status: reply.StatusCode, Details: said.Details, RequestID: reply.Header.Get("X-Request-Id")}
}
