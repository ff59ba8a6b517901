import { choicesOf, isItems, isMoney } from "@/lib/approvals/fields/field-kinds";
import type { FieldSchema, Fields } from "@/lib/approvals/fields/field-schema";
import { descriptions, element } from "./elements";
import { shownText, shownValue } from "./show-text";

/*
 * Shows each field of a question with the value that the owner allows, the app's proposal, and the
 * values that the question accepts.
 */

/** Returns the fields of a question with the answer's values, or undefined if it asks for none. */
export function shownFields(fields: Fields | undefined, values: Record<string, unknown> = {}): HTMLElement | undefined {
  if (!fields) return undefined;
  const rows = Object.entries(fields.properties).map(([name, field]) => {
    const isRequired = fields.required?.includes(name) === true;
    return element(
      "li",
      {},
      element("h4", {}, shownText(field.title ?? name), isRequired && " (required)"),
      field.description !== undefined && element("p", { class: "muted" }, shownText(field.description)),
      descriptions(
        [
          ["You allow", Object.hasOwn(values, name) ? valueIn(field, values[name]) : element("span", {}, "No value")],
          ["App proposes", field.default === undefined ? undefined : valueIn(field, field.default)],
          ["Accepted", limitsOf(field)],
        ],
        "values",
      ),
    );
  });
  return element("ul", { class: "fields" }, ...rows);
}

/** Returns a value in the words of its field. Choices and rows also show their identifiers. */
function valueIn(field: FieldSchema, value: unknown): HTMLElement {
  if (isMoney(field)) {
    const { amount, currency } = value as { amount: string; currency: string };
    return shownText(`${amount} ${currency}`);
  }
  if (isItems(field)) return verdictsOf(field.items, value as Record<string, string>);
  if (field.type === "boolean") return shownText(value === true ? "Yes" : "No");
  const choices = field.type === "string" || field.type === "array" ? choicesOf(field) : undefined;
  if (!choices) return shownValue(value);
  const chosen = [value].flat().map((each) => nameOf(choices.find((it) => it.value === each)) ?? String(each));
  return shownText(chosen.join(", ") || "None");
}

const nameOf = (choice: { value: string; title: string } | undefined) =>
  choice && (choice.title === choice.value ? choice.title : `${choice.title} (${choice.value})`);

function verdictsOf(
  items: readonly { id: string; label: string; note?: string | undefined }[],
  verdicts: Record<string, string>,
) {
  const rows = items.map(({ id, label, note }) =>
    element(
      "li",
      {},
      element(
        "strong",
        {},
        verdicts[id] === "approve" ? "Approve" : verdicts[id] === "reject" ? "Reject" : "No verdict",
      ),
      " ",
      shownText(label),
      note !== undefined && element("p", { class: "muted" }, shownText(note)),
    ),
  );
  return element("ul", { class: "rows" }, ...rows);
}

/** Returns the values that a field accepts, or undefined if it states no limit. */
function limitsOf(field: FieldSchema): HTMLElement | undefined {
  if (isItems(field)) return undefined;
  if (field.type === "string" || field.type === "array") {
    const choices = choicesOf(field);
    if (choices) return shownText(`${countOf(field)}${choices.map(nameOf).join(", ")}`);
  }
  const unit = isMoney(field) ? ` ${field.currency}` : "";
  const { minimum, maximum, minLength, maxLength, format } = field as Record<string, unknown>;
  const limits = [
    range(minimum, maximum, unit),
    range(minLength, maxLength, " characters"),
    typeof format === "string" && format !== "money" ? `format ${format}` : "",
  ].filter(Boolean);
  return limits.length > 0 ? shownText(limits.join(", ")) : undefined;
}

const countOf = (field: FieldSchema) => {
  if (field.type !== "array" || (field.minItems === undefined && field.maxItems === undefined)) return "";
  return `${range(field.minItems, field.maxItems, "")} of: `;
};

function range(from: unknown, to: unknown, unit: string): string {
  if (from === undefined && to === undefined) return "";
  if (from === undefined) return `at most ${String(to)}${unit}`;
  return to === undefined ? `at least ${String(from)}${unit}` : `${String(from)} to ${String(to)}${unit}`;
}
