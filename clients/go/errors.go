package countersign

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
)

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

// NotAnsweredError says that the owner has not answered in time: in the caller's, after which the question still waits and
// [Approvals.Wait] resumes, or before its deadline.
type NotAnsweredError struct {
	// ID is the approval's; empty when the service could not even be asked.
	ID string
	// DeadlinePassed is whether it cannot be answered any more.
	DeadlinePassed bool

	cause error
}

func (e *NotAnsweredError) Error() string {
	if e.DeadlinePassed {
		return "countersign: the deadline passed without an answer"
	}
	return "countersign: the owner has not answered in time"
}

// Unwrap gives why the context was over, such as [context.DeadlineExceeded].
func (e *NotAnsweredError) Unwrap() error { return e.cause }

// NotProvenError says that a receipt or a webhook does not prove what it should.
type NotProvenError struct {
	// Reason is why not.
	Reason string

	cause error
}

func (e *NotProvenError) Error() string { return "countersign: not proven: " + e.Reason }

// Unwrap gives what stood in the way of a proof, such as keys that cannot be read.
func (e *NotProvenError) Unwrap() error { return e.cause }

func notProven(reason string) error { return &NotProvenError{Reason: reason} }

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
