package countersign

import (
	"encoding/json"
	"math"
	"testing"
)

func TestWritesNumbersAsInRFC8785(t *testing.T) {
	for _, it := range []struct {
		value float64
		text  string
	}{
		{0, "0"}, {math.Copysign(0, -1), "0"}, {5e-324, "5e-324"}, {-1.7976931348623157e308, "-1.7976931348623157e+308"},
		{9007199254740992, "9007199254740992"}, {295147905179352830000, "295147905179352830000"},
		{9.999999999999997e22, "9.999999999999997e+22"}, {1e23, "1e+23"}, {999999999999999700000, "999999999999999700000"},
		{1e21, "1e+21"}, {9.999999999999997e-7, "9.999999999999997e-7"}, {0.000001, "0.000001"},
		{333333333.3333332, "333333333.3333332"}, {-0.0000033333333333333333, "-0.0000033333333333333333"},
		{1, "1"}, {100, "100"}, {12.5, "12.5"}, {1e15, "1000000000000000"}, {0.30000000000000004, "0.30000000000000004"},
	} {
		equal(t, canonicalNumber(it.value), it.text)
	}
	text, err := canonicalJSON(map[string]any{"\ufb33": 1, "\U0001f600": []any{true, nil, "<ä\u2028"}})
	equal(t, err, nil)
	equal(t, text, "{\"\U0001f600\":[true,null,\"<ä\u2028\"],\"\ufb33\":1}")
}

func invoice() ApprovalRequest {
	return ApprovalRequest{
		Question: "Ship?",
		Fields: &Fields{
			Properties: map[string]Field{
				"amount": MoneyField{Currency: "EUR", Default: &Money{"86.40", "EUR"}},
				"rate":   NumberField{Minimum: Ptr(1e-6), Maximum: Ptr(1e15), Default: Ptr(float64(3) / 10)},
				"Zebra":  BooleanField{},
			},
			Required: []string{"rate"},
			Order:    []string{"rate", "Zebra", "amount"},
		},
		Options: []Option{{ID: "pay", Label: "Pay", Fields: true}, {ID: "no", Label: "No"}},
	}
}

func TestHashesFieldsWhateverTheirOrder(t *testing.T) {
	canonical := `{"fields":{"properties":{"Zebra":{"type":"boolean"},"amount":{"currency":"EUR","default":{"amount":"86.40","currency":"EUR"},` +
		`"format":"money","type":"object"},"rate":{"default":0.3,"maximum":1000000000000000,"minimum":0.000001,"type":"number"}},` +
		`"required":["rate"],"type":"object"},"options":[{"fields":true,"id":"pay","label":"Pay"},{"id":"no","label":"No"}],"question":"Ship?"}`
	hash, err := ContentHash(invoice())
	equal(t, err, nil)
	equal(t, hash, sha(canonical))
	read, err := json.Marshal(invoice())
	equal(t, err, nil)
	var approval Approval
	equal(t, json.Unmarshal(read, &approval), nil)
	hash, err = ContentHash(approval)
	equal(t, err, nil)
	equal(t, hash, sha(canonical))
	for name, change := range map[string]func(*ApprovalRequest){
		"another default": func(it *ApprovalRequest) {
			it.Fields.Properties["amount"] = MoneyField{Currency: "EUR", Default: &Money{"86.41", "EUR"}}
		},
		"another currency": func(it *ApprovalRequest) { it.Fields.Properties["amount"] = MoneyField{Currency: "USD"} },
		"another option":   func(it *ApprovalRequest) { it.Options[1].Fields = true },
		"no fields":        func(it *ApprovalRequest) { it.Fields = nil },
	} {
		other := invoice()
		change(&other)
		if hash, err := ContentHash(other); err != nil || hash == sha(canonical) {
			t.Errorf("%s: %s %v", name, hash, err)
		}
	}
}

func TestWritesEachKindOfField(t *testing.T) {
	fields := Fields{Properties: map[string]Field{
		"a": TextField{Naming: Naming{Title: "When", Description: "A day"}, Format: "date", Default: Ptr("2026-12-01")},
		"b": TextField{OneOf: []Choice{{"g", "Giro"}}},
		"c": NumberField{Integer: true, Minimum: Ptr(0.0)},
		"d": BooleanField{Default: Ptr(false)},
		"e": ChoicesField{Enum: []string{"mail"}, MinItems: 1},
		"f": ChoicesField{AnyOf: []Choice{{"m", "Mail"}}, Default: []string{"m"}},
		"g": MoneyField{Currency: "EUR", Maximum: "500.00"},
		"h": ItemsField{Items: []Item{{ID: "r", Label: "Rent"}}, Default: map[string]string{"r": "approve"}},
	}}
	text, err := json.Marshal(fields)
	equal(t, err, nil)
	equal(t, string(text), `{"type":"object","properties":{"a":{"type":"string","title":"When","description":"A day","format":"date","default":"2026-12-01"},`+
		`"b":{"type":"string","oneOf":[{"const":"g","title":"Giro"}]},"c":{"type":"integer","minimum":0},"d":{"type":"boolean","default":false},`+
		`"e":{"type":"array","items":{"type":"string","enum":["mail"]},"minItems":1},"f":{"type":"array","items":{"anyOf":[{"const":"m","title":"Mail"}]},"default":["m"]},`+
		`"g":{"type":"object","format":"money","currency":"EUR","maximum":"500.00"},"h":{"type":"object","format":"items","items":[{"id":"r","label":"Rent"}],"default":{"r":"approve"}}}}`)
	for _, order := range [][]string{{"a"}, {"a", "a", "c", "d", "e", "f", "g", "h"}, {"x", "b", "c", "d", "e", "f", "g", "h"}} {
		fields.Order = order
		if _, err := json.Marshal(fields); err == nil {
			t.Errorf("%v is accepted", order)
		}
	}
}

func TestAcceptsOnlyExactlyTheAllowedValues(t *testing.T) {
	var resolution Resolution
	text := `{"kind":"option","optionId":"pay","resolvedBy":"owner","values":{"when":"2026-12-01","amount":{"currency":"EUR","amount":"86.40"},"retries":1}}`
	equal(t, json.Unmarshal([]byte(text), &resolution), nil)
	receipt := Receipt{Resolution: resolution}
	values := func(change func(map[string]any)) map[string]any {
		all := map[string]any{"amount": Money{"86.40", "EUR"}, "when": "2026-12-01", "retries": 1.0}
		if change != nil {
			change(all)
		}
		return all
	}
	equal(t, receipt.Yes("pay") && receipt.YesWith("pay", values(nil)), true)
	equal(t, receipt.YesWith("no", values(nil)), false)
	for name, change := range map[string]func(map[string]any){
		"another amount":   func(it map[string]any) { it["amount"] = Money{"86.41", "EUR"} },
		"another currency": func(it map[string]any) { it["amount"] = Money{"86.40", "USD"} },
		"another type":     func(it map[string]any) { it["retries"] = "1" },
		"one more":         func(it map[string]any) { it["express"] = true },
		"one less":         func(it map[string]any) { delete(it, "when") },
		"no JSON":          func(it map[string]any) { it["when"] = func() {} },
	} {
		if receipt.YesWith("pay", values(change)) {
			t.Errorf("%s is accepted", name)
		}
	}
	equal(t, Receipt{Resolution: Resolution{Kind: "option", OptionID: "pay", ResolvedBy: "owner"}}.YesWith("pay", values(nil)), false)
	var amount Money
	given, err := resolution.Values.Get("amount", &amount)
	equal(t, given, true)
	equal(t, err, nil)
	equal(t, amount, Money{"86.40", "EUR"})
	given, err = resolution.Values.Get("express", new(bool))
	equal(t, given, false)
	equal(t, err, nil)
	if _, err = resolution.Values.Get("when", new(float64)); err == nil {
		t.Error("a text is accepted as a number")
	}
}
