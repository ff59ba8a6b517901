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

// An [Error] matches one of these in [errors.Is] by its HTTP status: errors.Is(err,
// countersign.ErrNotFound).
var (
	// ErrUnreachable is for a service that sent no response.
	ErrUnreachable error = statusError(0)
	// ErrBadRequest is for 400: Details has the problem of each field.
	ErrBadRequest error = statusError(http.StatusBadRequest)
	// ErrUnauthorized is for 401: the token is unknown, expired or revoked.
	ErrUnauthorized error = statusError(http.StatusUnauthorized)
	// ErrForbidden is for 403: the token lacks a permission.
	ErrForbidden error = statusError(http.StatusForbidden)
	// ErrNotFound is for 404: it does not exist, or belongs to another app or owner.
	ErrNotFound error = statusError(http.StatusNotFound)
	// ErrConflict is for 409: for example, the approval is already resolved.
	ErrConflict error = statusError(http.StatusConflict)
	// ErrGone is for 410: for example, the events after a cursor were deleted.
	ErrGone error = statusError(http.StatusGone)
	// ErrKeyReused is for 422: an idempotency key was used for another request.
	ErrKeyReused error = statusError(http.StatusUnprocessableEntity)
	// ErrRateLimited is for 429: too many requests.
	ErrRateLimited error = statusError(http.StatusTooManyRequests)
)

// statusError is the sentinel of all errors with one HTTP status.
type statusError int

func (s statusError) Error() string {
	if s == 0 {
		return "countersign: could not connect to the service"
	}
	return "countersign: " + strings.ToLower(http.StatusText(int(s)))
}

// Detail is a problem with one field of a request.
type Detail struct {
	// Path is the field, like options.0.label. It is empty for the whole request.
	Path string
	// Message describes the problem.
	Message string
	// Reason is for programs. It is empty for most errors.
	Reason string
	// UsedAt and UsedBy say when and by what an answer was used, for the reason used. UsedBy is app or
	// receipt.
	UsedAt Millis
	UsedBy string
	// WithdrawnAt is when the owner withdrew the answer, for the reason withdrawn.
	WithdrawnAt Millis
}

// Error means that the service rejected the request, or could not be reached in time.
type Error struct {
	// Message is the service's message, with the details.
	Message string
	// Status is the HTTP status. It is 0 if there was no response.
	Status int
	// Details lists the problem of each field for a 400, and the problem of the token for a 401.
	Details []Detail
	// RequestID identifies the request. Include this ID when you report a problem.
	RequestID string

	cause error
}

func (e *Error) Error() string { return "countersign: " + e.Message }

// Unwrap returns why the service could not be reached.
func (e *Error) Unwrap() error { return e.cause }

// Is reports whether target is the sentinel of this error's status, such as [ErrNotFound].
func (e *Error) Is(target error) bool {
	status, known := target.(statusError)
	return known && int(status) == e.Status
}

// Retry is a failed attempt before a retry.
type Retry struct {
	// Attempt is the number of the failed attempt, starting at 1.
	Attempt int
	// Delay is how long the client waits before the next attempt.
	Delay time.Duration
	// Reason is the error. If the service is unreachable, its message names the address and the cause.
	Reason *Error
}

// unreachable is the error for a request without a response. It names the service's address once, not the request's.
func unreachable(baseURL string, cause error) *Error {
	reason := cause
	var request *url.Error
	if errors.As(cause, &request) {
		reason = request.Err
	}
	return &Error{Message: "Could not connect to the service at " + baseURL + " (" + reason.Error() + ")", cause: cause}
}

// NoAnswerError means that the owner did not answer in time. Either the context is done, the
// question is still pending, and [Approvals.Wait] can resume. Or the question's deadline has
// passed.
type NoAnswerError struct {
	// ID is the approval's ID. It is empty if the question did not reach the service.
	ID string
	// DeadlinePassed is whether the question can no longer be answered.
	DeadlinePassed bool

	cause error
}

func (e *NoAnswerError) Error() string {
	if e.DeadlinePassed {
		return "countersign: the deadline passed without an answer"
	}
	return "countersign: the owner did not answer in time"
}

// Unwrap returns the context's error, such as [context.DeadlineExceeded].
func (e *NoAnswerError) Unwrap() error { return e.cause }

// NotRunError means that a guarded action did not run.
type NotRunError struct {
	// ID is the approval's ID.
	ID string
	// Message is for the person or the model.
	Message string

	cause error
}

func (e *NotRunError) Error() string { return "countersign: " + e.Message }

// Unwrap returns the service's error, if there is one.
func (e *NotRunError) Unwrap() error { return e.cause }

// VerificationError means that a receipt or a webhook failed verification.
type VerificationError struct {
	// Reason describes the failed check.
	Reason string

	cause error
}

func (e *VerificationError) Error() string { return "countersign: not proven: " + e.Reason }

// Unwrap returns the underlying error, such as keys that cannot be read.
func (e *VerificationError) Unwrap() error { return e.cause }

func notProven(reason string) error { return &VerificationError{Reason: reason} }

// refusal is the error of an unsuccessful response.
func refusal(reply *http.Response, text []byte) *Error {
	var said struct {
		Error   string
		Details []Detail
	}
	if json.Unmarshal(text, &said) != nil || said.Error == "" {
		said.Error = fmt.Sprintf("The service responded with HTTP status %d", reply.StatusCode)
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
