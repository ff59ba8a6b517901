package countersign

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// asked has the fields that an owner may see, which a content hash covers.
type asked struct {
	Question string
	Facts    []Fact
	Fields   json.RawMessage
	Options  []struct {
		ID, Label, Note, Style *string
		Fields                 bool
	}
	BackgroundContext *string
	Recommendation    *string
	ExpiresAt         *int64
	DefaultOptionID   *string
	Once              bool
	OwnerOnly         bool
	Risk              *string
	SignedByOwner     json.RawMessage
	Additions         []struct {
		Text      string
		CreatedAt int64
	}
}

// ContentHash returns the hash of a question: sha256: and 64 hex digits. It equals the service's
// contentHash.
//
// It accepts an [ApprovalRequest], an [Approval] as it was read, or any value that encoding/json
// writes in the API's spelling. It returns an error for a value that is not a question.
func ContentHash(content any) (string, error) {
	var text []byte
	switch it := content.(type) {
	case *Approval:
		text = it.Raw
	case Approval:
		text = it.Raw
	}
	if text == nil {
		written, err := json.Marshal(content)
		if err != nil {
			return "", fmt.Errorf("countersign: %w", err)
		}
		text = written
	}
	var it asked
	if err := json.Unmarshal(text, &it); err != nil {
		return "", fmt.Errorf("countersign: %w", err)
	}
	if it.Question == "" || len(it.Options) == 0 {
		return "", errors.New("countersign: the content must have a question and options")
	}
	for _, part := range []*json.RawMessage{&it.Fields, &it.SignedByOwner} {
		written, err := canonicalJSON(*part)
		if err != nil {
			return "", err
		}
		*part = json.RawMessage(written)
	}
	return hashOf(it.canonical()), nil
}

// canonical writes canonical JSON (RFC 8785): sorted names, and one spelling for each value.
func (it asked) canonical() string {
	var fields []string
	field := func(name, value string) { fields = append(fields, `"`+name+`":`+value) }
	text := func(name string, value *string) {
		if value != nil {
			field(name, quoted(*value))
		}
	}
	if len(it.Additions) > 0 {
		all := make([]string, len(it.Additions))
		for i, each := range it.Additions {
			all[i] = fmt.Sprintf(`{"createdAt":%d,"text":%s}`, each.CreatedAt, quoted(each.Text))
		}
		field("additions", "["+strings.Join(all, ",")+"]")
	}
	text("backgroundContext", it.BackgroundContext)
	text("defaultOptionId", it.DefaultOptionID)
	if it.ExpiresAt != nil {
		field("expiresAt", strconv.FormatInt(*it.ExpiresAt, 10))
	}
	if len(it.Facts) > 0 {
		all := make([]string, len(it.Facts))
		for i, each := range it.Facts {
			all[i] = fmt.Sprintf(`{"label":%s,"value":%s}`, quoted(each.Label), quoted(each.Value))
		}
		field("facts", "["+strings.Join(all, ",")+"]")
	}
	// The service counts empty fields as absent.
	if written := string(it.Fields); written != "null" && written != "{}" {
		field("fields", written)
	}
	if it.Once {
		field("once", "true")
	}
	options := make([]string, len(it.Options))
	for i, each := range it.Options {
		whole := fields
		fields = nil
		if each.Fields {
			field("fields", "true")
		}
		text("id", each.ID)
		text("label", each.Label)
		text("note", each.Note)
		text("style", each.Style)
		options[i] = "{" + strings.Join(fields, ",") + "}"
		fields = whole
	}
	field("options", "["+strings.Join(options, ",")+"]")
	// The service turns on ownerOnly for a question that requires a signature.
	signed := string(it.SignedByOwner)
	if it.OwnerOnly || signed == SignatureRequired.json() || signed == SignatureInLens.json() {
		field("ownerOnly", "true")
	}
	text("question", &it.Question)
	text("recommendation", it.Recommendation)
	text("risk", it.Risk)
	if signed != "null" && signed != "false" && signed != `""` {
		field("signedByOwner", signed)
	}
	return "{" + strings.Join(fields, ",") + "}"
}

// quoted writes a string as ECMAScript does, because encoding/json escapes more characters.
func quoted(value string) string {
	var out strings.Builder
	out.WriteByte('"')
	for _, each := range value {
		if short := strings.IndexRune("\"\\\b\f\n\r\t", each); short >= 0 {
			out.WriteByte('\\')
			out.WriteByte(`"\bfnrt`[short])
		} else if each < ' ' {
			fmt.Fprintf(&out, `\u%04x`, each)
		} else {
			out.WriteRune(each)
		}
	}
	out.WriteByte('"')
	return out.String()
}
