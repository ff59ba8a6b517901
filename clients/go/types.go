package countersign

import (
	"encoding/json"
	"strings"
	"time"
)

// Millis is a time in epoch milliseconds, as the service gives it.
type Millis int64

// At is a time as the service wants it.
func At(t time.Time) Millis { return Millis(t.UnixMilli()) }

// Time is the same for Go.
func (m Millis) Time() time.Time { return time.UnixMilli(int64(m)) }

// Option is a choice to offer. The answer names its ID.
type Option struct {
	// ID comes back in the answer.
	ID string `json:"id"`
	// Label is what the owner reads.
	Label string `json:"label"`
	// Note is shown beneath the label.
	Note string `json:"note,omitempty"`
	// Style is danger where the option is shown with a warning.
	Style string `json:"style,omitempty"`
}

// ApprovalRequest is a question to ask.
type ApprovalRequest struct {
	// Question is the decision the owner must make.
	Question string `json:"question"`
	// Options are 1 to 20 choices.
	Options []Option `json:"options"`
	// BackgroundContext helps the owner decide; shown as safe Markdown.
	BackgroundContext string `json:"backgroundContext,omitempty"`
	// Recommendation is an option's id or label, or text.
	Recommendation string `json:"recommendation,omitempty"`
	// ExpiresAt is the deadline for the answer: 10 seconds to 366 days from now.
	ExpiresAt Millis `json:"expiresAt,omitempty"`
	// DefaultOptionID is recorded as the app's own answer if nobody answers before ExpiresAt. Needs approvals:resolve as well.
	DefaultOptionID string `json:"defaultOptionId,omitempty"`
	// OwnerOnly is whether only the owner may answer.
	OwnerOnly bool `json:"ownerOnly,omitempty"`
	// Risk is low, normal or high.
	Risk string `json:"risk,omitempty"`

	// Key makes this question one: asked again with the same key within 24 hours, by a program that was started again too, it is
	// not asked anew. Made up for each call unless set.
	Key string `json:"-"`
}

// Resolution is the recorded decision.
type Resolution struct {
	// Kind is option or other.
	Kind string `json:"kind"`
	// OptionID is the chosen option's id, with the kind option.
	OptionID string `json:"optionId,omitempty"`
	// OtherText is the answer in one's own words, with the kind other.
	OtherText string `json:"otherText,omitempty"`
	// Note was written beside the answer.
	Note string `json:"note,omitempty"`
	// ResolvedBy is owner only when the owner answered.
	ResolvedBy string `json:"resolvedBy"`
	// ResolvedAt is when.
	ResolvedAt Millis `json:"resolvedAt"`
}

// chose is whether the owner, or a simulated one, chose this option.
func (r Resolution) chose(optionID string) bool {
	return r.ResolvedBy == "owner" && r.Kind == "option" && r.OptionID == optionID
}

// simulated is whether a simulated owner answered: the note of every such answer says so.
func (r Resolution) simulated() bool { return strings.HasPrefix(r.Note, "Simulated: ") }

// Answer is what became of a question.
type Answer struct {
	// ID is the approval's.
	ID string
	// Chosen is the id of the chosen option; empty where the answer is in the owner's own words.
	Chosen string
	// Text is the owner's own words, where no option was chosen.
	Text string
	// Note was written beside the answer.
	Note string
	// By is owner where the owner answered. It is api where the app answered itself, or a default did when the deadline passed.
	By string
	// Simulated is whether a simulated owner answered ("countersign simulate"), in tests of agents.
	Simulated bool
	// Resolution is the recorded decision as the service gives it.
	Resolution Resolution

	allowSimulated bool
}

func answerOf(id string, it Resolution, allowSimulated bool) *Answer {
	answer := &Answer{ID: id, Note: it.Note, By: it.ResolvedBy, Simulated: it.simulated(), Resolution: it, allowSimulated: allowSimulated}
	if it.Kind == "option" {
		answer.Chosen = it.OptionID
	} else {
		answer.Text = it.OtherText
	}
	return answer
}

// Yes is whether the owner, and nobody else, chose this option. Check it before you act. It is false for a simulated answer, unless
// [Config.AllowSimulated] is set.
func (a Answer) Yes(optionID string) bool {
	return (a.allowSimulated || !a.Simulated) && a.Resolution.chose(optionID)
}

// Said is what the owner asked back, or the app added.
type Said struct {
	Text      string `json:"text"`
	CreatedAt Millis `json:"createdAt"`
}

// Outcome is what the app reported after the answer.
type Outcome struct {
	Status     string `json:"status"`
	Text       string `json:"text,omitempty"`
	Link       string `json:"link,omitempty"`
	ReportedAt Millis `json:"reportedAt"`
}

// OutcomeRequest is what to report.
type OutcomeRequest struct {
	// Status is started before it is over; done or failed once it is.
	Status string `json:"status"`
	// Text is what happened, in words for the owner.
	Text string `json:"text,omitempty"`
	// Link is an https address where it can be looked at.
	Link string `json:"link,omitempty"`
}

// AnswerRequest answers one's own question: with an option, or in other words.
type AnswerRequest struct {
	OptionID  string `json:"optionId,omitempty"`
	OtherText string `json:"otherText,omitempty"`
	Note      string `json:"note,omitempty"`

	// Key makes it one, like that of an [ApprovalRequest].
	Key string `json:"-"`
}

// Approval is a question an app asks, as the service holds it.
type Approval struct {
	ID                string      `json:"_id"`
	CreationTime      Millis      `json:"_creationTime"`
	ClientID          string      `json:"clientId"`
	Question          string      `json:"question"`
	Options           []Option    `json:"options"`
	BackgroundContext string      `json:"backgroundContext,omitempty"`
	Recommendation    string      `json:"recommendation,omitempty"`
	ExpiresAt         Millis      `json:"expiresAt,omitempty"`
	DefaultOptionID   string      `json:"defaultOptionId,omitempty"`
	OwnerOnly         bool        `json:"ownerOnly,omitempty"`
	Risk              string      `json:"risk,omitempty"`
	DeadlinePassed    bool        `json:"deadlinePassed,omitempty"`
	ContentHash       string      `json:"contentHash"`
	Status            string      `json:"status"`
	Resolution        *Resolution `json:"resolution,omitempty"`
	Additions         []Said      `json:"additions,omitempty"`
	Questions         []Said      `json:"questions,omitempty"`
	Outcome           *Outcome    `json:"outcome,omitempty"`

	// Raw is the JSON as it came, with whatever a newer service says besides.
	Raw json.RawMessage `json:"-"`
}

// UnmarshalJSON reads what the service wrote, and keeps it.
func (a *Approval) UnmarshalJSON(text []byte) error {
	type plain Approval
	if err := json.Unmarshal(text, (*plain)(a)); err != nil {
		return err
	}
	a.Raw = append(json.RawMessage(nil), text...)
	return nil
}

// NotificationRequest is something to tell.
type NotificationRequest struct {
	// Title is one line that says what happened.
	Title string `json:"title"`
	Body  string `json:"body,omitempty"`
	// Type is a category of your own; general unless set.
	Type string `json:"type,omitempty"`
	// Data is anything that encoding/json writes as an object; at most 16 KiB.
	Data any `json:"data,omitempty"`

	// Key makes it one, like that of an [ApprovalRequest].
	Key string `json:"-"`
}

// Notification is something an app told the owner.
type Notification struct {
	ID           string          `json:"_id"`
	CreationTime Millis          `json:"_creationTime"`
	Title        string          `json:"title"`
	Body         string          `json:"body"`
	Type         string          `json:"type"`
	CreatedAt    Millis          `json:"createdAt"`
	Data         json.RawMessage `json:"data"`
}

// Integration is an account the owner linked.
type Integration struct {
	ID       string `json:"id"`
	Provider string `json:"provider"`
	// Status is connected, needs_reauth, error or disconnected; more may come.
	Status string `json:"status"`
	Email  string `json:"email"`
	// Buckets are the kinds of data the owner granted something of.
	Buckets []string `json:"buckets"`
}

// Event is a recorded fact. Types may be added: pass over those you do not know.
type Event struct {
	ID        string `json:"id"`
	Type      string `json:"type"`
	CreatedAt Millis `json:"createdAt"`
	// Data depends on the type.
	Data json.RawMessage `json:"data"`
}
