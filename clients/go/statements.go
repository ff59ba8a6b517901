package countersign

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
)

// signedStatement is what a passkey signs. Its members are canonical JSON.
type signedStatement struct {
	members   map[string]json.RawMessage
	answers   []map[string]json.RawMessage
	offeredAt Millis
}

func parseStatement(text string) (*signedStatement, error) {
	malformed := notProven("the signed statement is malformed")
	it := &signedStatement{}
	// Decode by exact names, because a struct would accept OWNER as owner.
	if canonical, err := canonicalJSON(json.RawMessage(text)); err != nil || canonical != text || json.Unmarshal([]byte(text), &it.members) != nil || it.members == nil {
		return nil, notProven("the signed statement is not canonical JSON")
	}
	if string(it.members["type"]) != `"countersign-answer"` {
		return nil, notProven("the signed statement's type is not countersign-answer")
	}
	if string(it.members["version"]) != "1" {
		return nil, notProven("the signed statement's version is not supported")
	}
	// A member that this version does not know could change the meaning.
	if !hasExactly(it.members, "answers", "app", "issuer", "offeredAt", "owner", "type", "version") {
		return nil, malformed
	}
	offeredAt, err := strconv.ParseInt(string(it.members["offeredAt"]), 10, 64)
	if err != nil || offeredAt > 1<<53-1 || offeredAt < -(1<<53-1) {
		return nil, malformed
	}
	it.offeredAt = Millis(offeredAt)
	if json.Unmarshal(it.members["answers"], &it.answers) != nil || it.answers == nil || slices.ContainsFunc(it.answers, func(entry map[string]json.RawMessage) bool { return entry == nil }) {
		return nil, malformed
	}
	return it, nil
}

// entryMembers are the members of an entry of the statement.
var entryMembers = []string{"approval", "contentHash", "option", "textHash", "values", "noteHash"}

// check checks that the statement has one entry for the approval, with the content and exactly this
// answer.
func (s *signedStatement) check(answer Resolution, approvalID, contentHash string) error {
	var entry map[string]json.RawMessage
	count := 0
	for _, it := range s.answers {
		if string(it["approval"]) == quoted(approvalID) {
			entry = it
			count++
		}
	}
	if count != 1 {
		return notProven("the signed statement does not have this approval exactly once")
	}
	_, hasOption := entry["option"]
	_, hasText := entry["textHash"]
	unknown := func(name string) bool { return !slices.Contains(entryMembers, name) }
	if hasOption == hasText || slices.ContainsFunc(slices.Collect(maps.Keys(entry)), unknown) {
		return notProven("the signed statement is malformed")
	}
	if string(entry["contentHash"]) != quoted(contentHash) {
		return notProven("the signed statement's contentHash does not match the expected value")
	}
	wanted, err := entryOf(answer)
	if err != nil {
		return err
	}
	for _, name := range entryMembers[2:] {
		if string(entry[name]) != wanted[name] {
			return notProven("the signed statement's " + name + " does not match the answer")
		}
	}
	return nil
}

// entryOf returns the members that the entry of an answer must have, as canonical JSON. An empty text
// counts as absent.
func entryOf(answer Resolution) (map[string]string, error) {
	wanted := map[string]string{}
	option, unsigned := "", answer.OptionID
	if answer.Kind == "option" {
		option, unsigned = answer.OptionID, answer.OtherText
	}
	if option != "" {
		wanted["option"] = quoted(option)
	}
	if answer.Kind == "other" && answer.OtherText != "" {
		wanted["textHash"] = quoted(hashOf(answer.OtherText))
	}
	if unsigned != "" {
		return nil, notProven("the answer has an option and a text, but only one of them is signed")
	}
	if answer.Values != nil {
		values, err := canonicalJSON(answer.Values)
		if err != nil {
			return nil, notProven("the signed statement's values does not match the answer")
		}
		wanted["values"] = values
	}
	if answer.Note != "" {
		wanted["noteHash"] = quoted(hashOf(answer.Note))
	}
	return wanted, nil
}

func hasExactly(members map[string]json.RawMessage, names ...string) bool {
	for _, name := range names {
		if _, has := members[name]; !has {
			return false
		}
	}
	return len(members) == len(names)
}

func hashOf(text string) string { return fmt.Sprintf("sha256:%x", sha256.Sum256([]byte(text))) }
