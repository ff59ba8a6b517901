package countersign

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"sort"
	"strconv"
	"strings"
	"unicode/utf16"
)

// Fields are the values that the owner fills in: 1 to 20 fields by name.
type Fields struct {
	// Properties are the fields by name.
	Properties map[string]Field
	// Required are the names of the fields that must have a value.
	Required []string
	// Order has the names in the order in which the owner sees them. By default, they are sorted.
	Order []string
}

// Field is one value that the owner fills in. [TextField], [NumberField], [BooleanField],
// [ChoicesField], [MoneyField] and [ItemsField] are its kinds.
type Field interface{ field() any }

// Naming is a field's label and hint.
type Naming struct {
	// Title is the field's label. The default is its name.
	Title string `json:"title,omitempty"`
	// Description is a hint for the owner.
	Description string `json:"description,omitempty"`
}

// Choice is a choice with a title. The answer contains Value.
type Choice struct {
	Value string `json:"const"`
	Title string `json:"title"`
}

// TextField is a text, or one of several choices if it has Enum or OneOf.
type TextField struct {
	Naming
	Enum      []string `json:"enum,omitempty"`
	OneOf     []Choice `json:"oneOf,omitempty"`
	MinLength int      `json:"minLength,omitempty"`
	MaxLength int      `json:"maxLength,omitempty"`
	// Format is email, uri, date, time or date-time.
	Format  string  `json:"format,omitempty"`
	Default *string `json:"default,omitempty"`
}

// NumberField is a number: 0, or from 1e-6 to 1e15 in absolute value.
type NumberField struct {
	Naming
	// Integer is whether the number is an integer.
	Integer bool     `json:"-"`
	Minimum *float64 `json:"minimum,omitempty"`
	Maximum *float64 `json:"maximum,omitempty"`
	Default *float64 `json:"default,omitempty"`
}

// BooleanField is yes or no.
type BooleanField struct {
	Naming
	Default *bool `json:"default,omitempty"`
}

// ChoicesField is any number of choices: of Enum, or of AnyOf.
type ChoicesField struct {
	Naming
	Enum     []string `json:"-"`
	AnyOf    []Choice `json:"-"`
	MinItems int      `json:"minItems,omitempty"`
	MaxItems int      `json:"maxItems,omitempty"`
	Default  []string `json:"default,omitempty"`
}

// Money is an amount with exactly its currency's decimals, like 86.40 EUR.
type Money struct {
	Amount   string `json:"amount"`
	Currency string `json:"currency"`
}

// MoneyField is an amount of money. The bounds are amounts like 500.00.
type MoneyField struct {
	Naming
	Currency string `json:"currency"`
	Minimum  string `json:"minimum,omitempty"`
	Maximum  string `json:"maximum,omitempty"`
	Default  *Money `json:"default,omitempty"`
}

// Item is a row that the owner approves or rejects.
type Item struct {
	ID    string `json:"id"`
	Label string `json:"label"`
	Note  string `json:"note,omitempty"`
}

// ItemsField are rows that the owner approves or rejects one by one. The value is approve or reject by row ID.
type ItemsField struct {
	Naming
	Items   []Item            `json:"items"`
	Default map[string]string `json:"default,omitempty"`
}

func (f TextField) field() any {
	return struct {
		Type string `json:"type"`
		TextField
	}{"string", f}
}

func (f NumberField) field() any {
	kind := "number"
	if f.Integer {
		kind = "integer"
	}
	return struct {
		Type string `json:"type"`
		NumberField
	}{kind, f}
}

func (f BooleanField) field() any {
	return struct {
		Type string `json:"type"`
		BooleanField
	}{"boolean", f}
}

func (f ChoicesField) field() any {
	var items any = struct {
		AnyOf []Choice `json:"anyOf"`
	}{f.AnyOf}
	if f.AnyOf == nil {
		items = struct {
			Type string   `json:"type"`
			Enum []string `json:"enum"`
		}{"string", f.Enum}
	}
	return struct {
		Type  string `json:"type"`
		Items any    `json:"items"`
		ChoicesField
	}{"array", items, f}
}

func (f MoneyField) field() any {
	return struct {
		Type   string `json:"type"`
		Format string `json:"format"`
		MoneyField
	}{"object", "money", f}
}

func (f ItemsField) field() any {
	return struct {
		Type   string `json:"type"`
		Format string `json:"format"`
		ItemsField
	}{"object", "items", f}
}

// MarshalJSON writes the fields as a JSON Schema, in the order of Order.
func (f Fields) MarshalJSON() ([]byte, error) {
	names := f.Order
	if names == nil {
		for name := range f.Properties {
			names = append(names, name)
		}
		sort.Strings(names)
	}
	if len(names) != len(f.Properties) {
		return nil, errors.New("countersign: Order must contain each name once")
	}
	var out bytes.Buffer
	out.WriteString(`{"type":"object","properties":{`)
	for i, name := range names {
		if slices.Contains(names[:i], name) {
			return nil, errors.New("countersign: Order must contain each name once")
		}
		field, known := f.Properties[name]
		if !known || field == nil {
			return nil, fmt.Errorf("countersign: there is no field %s", name)
		}
		text, err := json.Marshal(field.field())
		if err != nil {
			return nil, err
		}
		if i > 0 {
			out.WriteByte(',')
		}
		out.WriteString(quoted(name) + ":")
		out.Write(text)
	}
	out.WriteByte('}')
	if len(f.Required) > 0 {
		text, err := json.Marshal(f.Required)
		if err != nil {
			return nil, err
		}
		out.WriteString(`,"required":`)
		out.Write(text)
	}
	out.WriteByte('}')
	return out.Bytes(), nil
}

// Ptr returns a pointer to a value, for a field's default or bound.
func Ptr[T any](value T) *T { return &value }

// Values are the values of an answer by field name.
type Values map[string]json.RawMessage

// Get parses the value of a field, such as a string, a float64, a bool, a [Money] or a
// map[string]string. It returns false if the field has no value, and an error for another type.
func (v Values) Get(name string, value any) (bool, error) {
	text, given := v[name]
	if !given {
		return false, nil
	}
	if err := json.Unmarshal(text, value); err != nil {
		return true, fmt.Errorf("countersign: the value of %s: %w", name, err)
	}
	return true, nil
}

// same reports whether the values are exactly the given ones.
func (v Values) same(given any) bool {
	if v == nil {
		v = Values{}
	}
	wanted, err := canonicalJSON(given)
	if err != nil {
		return false
	}
	own, err := canonicalJSON(v)
	return err == nil && own == wanted
}

// canonicalJSON writes canonical JSON (RFC 8785) for any value that encoding/json can write.
func canonicalJSON(value any) (string, error) {
	text, err := json.Marshal(value)
	if err != nil {
		return "", err
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	var it any
	if err := decoder.Decode(&it); err != nil {
		return "", err
	}
	return canonical(it)
}

func canonical(value any) (string, error) {
	switch it := value.(type) {
	case nil:
		return "null", nil
	case bool:
		return strconv.FormatBool(it), nil
	case string:
		return quoted(it), nil
	case json.Number:
		number, err := it.Float64()
		if err != nil || math.IsInf(number, 0) {
			return "", fmt.Errorf("countersign: %s is too large", it)
		}
		return canonicalNumber(number), nil
	case []any:
		all := make([]string, len(it))
		for i, each := range it {
			text, err := canonical(each)
			if err != nil {
				return "", err
			}
			all[i] = text
		}
		return "[" + strings.Join(all, ",") + "]", nil
	case map[string]any:
		names := make([]string, 0, len(it))
		for name := range it {
			names = append(names, name)
		}
		// RFC 8785 sorts by UTF-16 code units.
		sort.Slice(names, func(i, j int) bool { return lessUTF16(names[i], names[j]) })
		all := make([]string, len(names))
		for i, name := range names {
			text, err := canonical(it[name])
			if err != nil {
				return "", err
			}
			all[i] = quoted(name) + ":" + text
		}
		return "{" + strings.Join(all, ",") + "}", nil
	}
	return "", fmt.Errorf("countersign: can't encode %T as JSON", value)
}

// canonicalNumber formats a number as ECMAScript does (RFC 8785, section 3.2.2.3).
func canonicalNumber(value float64) string {
	if value == 0 {
		return "0"
	}
	if size := math.Abs(value); size >= 1e-6 && size < 1e21 {
		return strconv.FormatFloat(value, 'f', -1, 64)
	}
	mantissa, exponent, _ := strings.Cut(strconv.FormatFloat(value, 'e', -1, 64), "e")
	// Go writes at least two digits of the exponent, and ECMAScript only as many as necessary.
	return mantissa + "e" + exponent[:1] + strings.TrimLeft(exponent[1:], "0")
}

func lessUTF16(a, b string) bool {
	left, right := utf16.Encode([]rune(a)), utf16.Encode([]rune(b))
	for i := 0; i < len(left) && i < len(right); i++ {
		if left[i] != right[i] {
			return left[i] < right[i]
		}
	}
	return len(left) < len(right)
}
