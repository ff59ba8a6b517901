package countersign

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

func TestHashesCanonicalJSON(t *testing.T) {
	asked := ApprovalRequest{
		Question:  "Ship \u2028<b>& \"it\"\n\u0001\u007f\u20ac\U0001f600\\?",
		Options:   []Option{{ID: "no", Label: "No", Style: "danger"}, {ID: "yes", Label: "Yes", Note: "Now"}},
		Facts:     []Fact{{Label: "Amount", Value: "86.40 €"}, {Label: "To", Value: `"Ada"`}},
		ExpiresAt: 1795000000000, DefaultOptionID: "no", OwnerOnly: true, Risk: "high", Recommendation: "no",
	}
	canonical := `{"defaultOptionId":"no","expiresAt":1795000000000,` +
		`"facts":[{"label":"Amount","value":"86.40 €"},{"label":"To","value":"\"Ada\""}],` +
		`"options":[{"id":"no","label":"No","style":"danger"},{"id":"yes","label":"Yes","note":"Now"}],"ownerOnly":true,` +
		`"question":"Ship ` + "\u2028" + `<b>& \"it\"\n\u0001` + "\u007f\u20ac\U0001f600" + `\\?","recommendation":"no","risk":"high"}`
	hash, err := ContentHash(asked)
	equal(t, err, nil)
	equal(t, hash, sha(canonical))
}

func TestHashesContentWithoutFactsLikeEarlierVersions(t *testing.T) {
	asked := ApprovalRequest{
		Question: "Ship build 418 to production?",
		Options:  []Option{{ID: "ship", Label: "Ship now"}, {ID: "wait", Label: "Wait for the soak test", Note: "Ends at 18:00"}},
	}
	for _, facts := range [][]Fact{nil, {}} {
		asked.Facts = facts
		hash, err := ContentHash(asked)
		equal(t, err, nil)
		equal(t, hash, "sha256:d4018122bda266e3431208bba5ab72ce384ea7d16eeea4e040dfd5e3a2624da1")
	}
}

func TestHashesOnceOnlyIfTrue(t *testing.T) {
	asked := ApprovalRequest{Question: "Pay?", Options: []Option{{ID: "yes", Label: "Yes"}}, Facts: []Fact{{Label: "A", Value: "1"}}, OwnerOnly: true}
	rest := `"options":[{"id":"yes","label":"Yes"}],"ownerOnly":true,"question":"Pay?"}`
	facts := `{"facts":[{"label":"A","value":"1"}],`
	for once, canonical := range map[bool]string{false: facts + rest, true: facts + `"once":true,` + rest} {
		asked.Once = once
		hash, err := ContentHash(asked)
		equal(t, err, nil)
		equal(t, hash, sha(canonical))
	}
}

func TestHashesSignedByOwnerAfterTheRiskOnlyIfASignatureMayBeRequired(t *testing.T) {
	asked := ApprovalRequest{Question: "Pay?", Options: []Option{{ID: "yes", Label: "Yes"}}, Risk: "high"}
	before := `{"options":[{"id":"yes","label":"Yes"}],"question":"Pay?","risk":"high"`
	for value, end := range map[SignedByOwner]string{
		"": "}", SignatureRequired: `,"signedByOwner":true}`, SignatureWhenPossible: `,"signedByOwner":"when-possible"}`,
		SignatureInLens: `,"signedByOwner":"in-lens"}`,
	} {
		asked.SignedByOwner = value
		hash, err := ContentHash(asked)
		equal(t, err, nil)
		canonical := before + end
		if value == SignatureRequired || value == SignatureInLens {
			canonical = strings.Replace(canonical, `"question"`, `"ownerOnly":true,"question"`, 1)
		}
		equal(t, hash, sha(canonical))
		text, err := json.Marshal(asked)
		equal(t, err, nil)
		equal(t, strings.Contains(string(text), "signedByOwner"), value != "")
		var read Approval
		equal(t, json.Unmarshal(text, &read), nil)
		equal(t, read.SignedByOwner, value)
		hash, err = ContentHash(read)
		equal(t, err, nil)
		equal(t, hash, sha(canonical))
	}
	asked.SignedByOwner = "always"
	if _, err := json.Marshal(asked); err == nil {
		t.Error("accepts an unknown value")
	}
	for text, value := range map[string]SignedByOwner{`{"signedByOwner":false}`: "", `{"signedByOwner":"later"}`: "later", `{"signedByOwner":{"a":1}}`: `{"a":1}`} {
		var read Approval
		equal(t, json.Unmarshal([]byte(text), &read), nil)
		equal(t, read.SignedByOwner, value)
	}
}

func TestComputesTheSameHashAsEveryClient(t *testing.T) {
	contents := readVectors(t).Contents
	if len(contents) < 10 {
		t.Fatalf("only %d contents", len(contents))
	}
	for _, it := range contents {
		if hash, err := ContentHash(it.Content); err != nil || hash != sha(it.Canonical) {
			t.Errorf("%s: %s %v, want %s", it.Name, hash, err, sha(it.Canonical))
		}
	}
}

func TestHashesOnlyContentThatAnOwnerSees(t *testing.T) {
	canonical := `{"additions":[{"createdAt":5,"text":"More"}],"backgroundContext":"","options":[{"id":"yes","label":"Yes"}],"question":"Ship?"}`
	raw := `{"_id":"apr_1","status":"pending","ownerOnly":false,"recommendation":null,"additions":[{"text":"More","createdAt":5,"by":"app"}],
		"question":"Ship?","backgroundContext":"","options":[{"label":"Yes","id":"yes"}]}`
	var read Approval
	equal(t, json.Unmarshal([]byte(raw), &read), nil)
	for _, content := range []any{read, &read, json.RawMessage(raw)} {
		hash, err := ContentHash(content)
		equal(t, err, nil)
		equal(t, hash, sha(canonical))
	}
	for _, none := range []any{nil, Approval{}, map[string]any{"question": "Ship?"}, "Ship?", func() {}} {
		if hash, err := ContentHash(none); err == nil {
			t.Errorf("%v has %s", none, hash)
		}
	}
}

func sha(text string) string { return fmt.Sprintf("sha256:%x", sha256.Sum256([]byte(text))) }
