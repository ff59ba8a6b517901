package countersign

import (
	"encoding/json"
	"strings"
	"time"
)

// Millis is a time in epoch milliseconds, as in the API.
type Millis int64

// At converts a time for the API.
func At(t time.Time) Millis { return Millis(t.UnixMilli()) }

// Time converts the value to a [time.Time].
func (m Millis) Time() time.Time { return time.UnixMilli(int64(m)) }

// Option is a choice for the owner. The answer contains its ID.
type Option struct {
	// ID is returned in the answer.
	ID string `json:"id"`
	// Label is the text that the owner reads.
	Label string `json:"label"`
	// Note is shown below the label.
	Note string `json:"note,omitempty"`
	// Style is danger for an option with a warning.
	Style string `json:"style,omitempty"`
	// Fields is whether an answer with this option has values for the question's Fields.
	Fields bool `json:"fields,omitempty"`
}

// Fact is a line of text that the owner needs most, such as an amount.
type Fact struct {
	// Label is at most 80 characters.
	Label string `json:"label"`
	// Value is at most 200 characters.
	Value string `json:"value"`
}

// ApprovalRequest is a question to ask.
type ApprovalRequest struct {
	// Question is the decision the owner must make.
	Question string `json:"question"`
	// Facts are up to six facts, shown above the background.
	Facts []Fact `json:"facts,omitempty"`
	// Fields are the values that the owner fills in. At least one option must have Fields.
	Fields *Fields `json:"fields,omitempty"`
	// Options are 1 to 20 choices.
	Options []Option `json:"options"`
	// BackgroundContext helps the owner decide. It is shown as safe Markdown.
	BackgroundContext string `json:"backgroundContext,omitempty"`
	// Recommendation is an option's id or label, or text.
	Recommendation string `json:"recommendation,omitempty"`
	// ExpiresAt is the deadline for the answer: 10 seconds to 366 days from now.
	ExpiresAt Millis `json:"expiresAt,omitempty"`
	// DefaultOptionID is recorded as the app's own answer if no one answers before ExpiresAt. It also
	// needs the scope approvals:resolve.
	DefaultOptionID string `json:"defaultOptionId,omitempty"`
	// OwnerOnly is whether only the owner may answer.
	OwnerOnly bool `json:"ownerOnly,omitempty"`
	// Once is whether the owner can withdraw the answer until it is used. If true, act on the answer
	// only after [Approvals.Use] succeeds.
	Once bool `json:"once,omitempty"`
	// Risk is low, normal or high.
	Risk string `json:"risk,omitempty"`
	// SignedByOwner is whether the owner's passkey must sign the answer, so that [VerifySignedAnswer] can
	// verify it.
	SignedByOwner SignedByOwner `json:"signedByOwner,omitempty"`
	// Match is two digits that this program shows. The owner picks them before answering. It requires
	// the risk high.
	Match string `json:"match,omitempty"`

	// Key is the idempotency key: within 24 hours, the same key never asks twice, even after a restart. By default, each call
	// generates its own.
	Key string `json:"-"`
}

// Resolution is the recorded decision.
type Resolution struct {
	// Kind is option or other.
	Kind string `json:"kind"`
	// OptionID is the chosen option's ID, for the kind option.
	OptionID string `json:"optionId,omitempty"`
	// OtherText is the answer in the owner's own words, for the kind other.
	OtherText string `json:"otherText,omitempty"`
	// Values are the values of the question's Fields, if the option takes fields.
	Values Values `json:"values,omitempty"`
	// Note is the note next to the answer.
	Note string `json:"note,omitempty"`
	// ResolvedBy is owner only when the owner answered.
	ResolvedBy string `json:"resolvedBy"`
	// ResolvedAt is the time of the answer.
	ResolvedAt Millis `json:"resolvedAt"`
	// Signature is present if the owner's passkey signed the answer. Pass the resolution to
	// [VerifySignedAnswer].
	Signature *AnswerSignature `json:"signature,omitempty"`
}

// chose reports whether the owner, or a simulated one, chose this option.
func (r Resolution) chose(optionID string) bool {
	return r.ResolvedBy == "owner" && r.Kind == "option" && r.OptionID == optionID
}

// simulated reports whether a simulated owner answered. The note of each such answer says so.
func (r Resolution) simulated() bool { return strings.HasPrefix(r.Note, "Simulated: ") }

// Answer is the answer to a question.
type Answer struct {
	// ID is the approval's ID.
	ID string
	// Chosen is the ID of the chosen option. It is empty if the owner answered in their own words.
	Chosen string
	// Text is the owner's own words, if they chose no option.
	Text string
	// Note is the note next to the answer.
	Note string
	// Values are the values of the question's Fields, if the chosen option takes fields.
	Values Values
	// By is owner if the owner answered. It is api if the app answered itself, or if the default was recorded at the deadline.
	By string
	// Simulated is whether a simulated owner answered ("countersign simulate"), in tests of agents.
	Simulated bool
	// Resolution is the recorded decision as in the API.
	Resolution Resolution

	allowSimulated bool
}

func answerOf(id string, it Resolution, allowSimulated bool) *Answer {
	answer := &Answer{ID: id, Note: it.Note, Values: it.Values, By: it.ResolvedBy, Simulated: it.simulated(), Resolution: it, allowSimulated: allowSimulated}
	if it.Kind == "option" {
		answer.Chosen = it.OptionID
	} else {
		answer.Text = it.OtherText
	}
	return answer
}

// Yes reports whether the owner, and no one else, chose this option. Check it before you act. It is false for a simulated answer,
// unless [Config.AllowSimulated] is set.
func (a Answer) Yes(optionID string) bool {
	return (a.allowSimulated || !a.Simulated) && a.Resolution.chose(optionID)
}

// Said is a question back from the owner, or an addition from the app.
type Said struct {
	Text      string `json:"text"`
	CreatedAt Millis `json:"createdAt"`
}

// Outcome is the outcome that the app reported after the answer.
type Outcome struct {
	Status     string `json:"status"`
	Text       string `json:"text,omitempty"`
	Link       string `json:"link,omitempty"`
	ReportedAt Millis `json:"reportedAt"`
}

// OutcomeRequest is the outcome to report.
type OutcomeRequest struct {
	// Status is started when the action begins, then done or failed.
	Status string `json:"status"`
	// Text describes the outcome for the owner.
	Text string `json:"text,omitempty"`
	// Link is an https URL with details.
	Link string `json:"link,omitempty"`
}

// AnswerRequest answers the app's own question: with an option, or in other words.
type AnswerRequest struct {
	OptionID  string `json:"optionId,omitempty"`
	OtherText string `json:"otherText,omitempty"`
	Note      string `json:"note,omitempty"`
	// Values are the values of the question's Fields. An option with Fields requires them. A value is any that
	// encoding/json can write, like a [Money].
	Values map[string]any `json:"values,omitempty"`

	// Key is the idempotency key, as in an [ApprovalRequest].
	Key string `json:"-"`
}

// UseRequest uses an answer for one action.
type UseRequest struct {
	// ContentHash is the approval's, so that the use is for what the owner saw.
	ContentHash string `json:"contentHash"`
	// Values are the resolution's values, if it has some.
	Values Values `json:"values,omitempty"`

	// Key is the idempotency key. The service repeats its reply to the same key. By default, each call
	// generates its own.
	Key string `json:"-"`
}

// Use is the use of an answer.
type Use struct {
	// UsedAt is when the answer was used.
	UsedAt Millis `json:"usedAt"`
	// Receipt is the signed receipt of the use: a compact JWS of type countersign-use+jwt.
	Receipt string `json:"receipt"`
}

// Approval is a question from an app, as in the API.
type Approval struct {
	ID           string `json:"_id"`
	CreationTime Millis `json:"_creationTime"`
	ClientID     string `json:"clientId"`
	Question     string `json:"question"`
	Facts        []Fact `json:"facts,omitempty"`
	// Fields are the fields that the owner fills in, as a JSON Schema.
	Fields            json.RawMessage `json:"fields,omitempty"`
	Options           []Option        `json:"options"`
	BackgroundContext string          `json:"backgroundContext,omitempty"`
	Recommendation    string          `json:"recommendation,omitempty"`
	ExpiresAt         Millis          `json:"expiresAt,omitempty"`
	DefaultOptionID   string          `json:"defaultOptionId,omitempty"`
	OwnerOnly         bool            `json:"ownerOnly,omitempty"`
	Once              bool            `json:"once,omitempty"`
	Risk              string          `json:"risk,omitempty"`
	SignedByOwner     SignedByOwner   `json:"signedByOwner,omitempty"`
	DeadlinePassed    bool            `json:"deadlinePassed,omitempty"`
	ContentHash       string          `json:"contentHash"`
	Status            string          `json:"status"`
	Resolution        *Resolution     `json:"resolution,omitempty"`
	Additions         []Said          `json:"additions,omitempty"`
	Questions         []Said          `json:"questions,omitempty"`
	Outcome           *Outcome        `json:"outcome,omitempty"`
	// DueAt is the deadline after the owner's freezes moved it. It is 0 if none did.
	DueAt Millis `json:"dueAt,omitempty"`
	// UsedAt is when the owner's answer was used.
	UsedAt Millis `json:"usedAt,omitempty"`
	// WithdrawnAt is when the owner withdrew the answer. It can no longer be used.
	WithdrawnAt Millis `json:"withdrawnAt,omitempty"`

	// Raw is the original JSON, including fields of a newer service.
	Raw json.RawMessage `json:"-"`
}

// UnmarshalJSON parses the service's JSON, and keeps it in Raw.
func (a *Approval) UnmarshalJSON(text []byte) error {
	type plain Approval
	if err := json.Unmarshal(text, (*plain)(a)); err != nil {
		return err
	}
	a.Raw = append(json.RawMessage(nil), text...)
	return nil
}

// NotificationRequest is a notification to send.
type NotificationRequest struct {
	// Title is a one-line summary.
	Title string `json:"title"`
	Body  string `json:"body,omitempty"`
	// Type is your own category. The default is general.
	Type string `json:"type,omitempty"`
	// Data is any value that encoding/json writes as an object of at most 16 KiB.
	Data any `json:"data,omitempty"`

	// Key is the idempotency key, as in an [ApprovalRequest].
	Key string `json:"-"`
}

// Notification is a notification from an app to the owner.
type Notification struct {
	ID           string          `json:"_id"`
	CreationTime Millis          `json:"_creationTime"`
	Title        string          `json:"title"`
	Body         string          `json:"body"`
	Type         string          `json:"type"`
	CreatedAt    Millis          `json:"createdAt"`
	Data         json.RawMessage `json:"data"`
}

// Integration is a linked account.
type Integration struct {
	ID       string `json:"id"`
	Provider string `json:"provider"`
	// Status is connected, needs_reauth, error or disconnected. Values may be added.
	Status string `json:"status"`
	Email  string `json:"email"`
	// Buckets are the types of data that the owner granted.
	Buckets []string `json:"buckets"`
}

// Event is a recorded event. Types may be added: ignore unknown types.
type Event struct {
	ID        string `json:"id"`
	Type      string `json:"type"`
	CreatedAt Millis `json:"createdAt"`
	// Data depends on the type.
	Data json.RawMessage `json:"data"`
}
