import type { InboxApproval } from "@/components/approvals/inbox-approval";
import { choicesOf, isItems, isMoney } from "@/lib/approvals/fields/field-kinds";
import type { FieldSchema } from "@/lib/approvals/fields/field-schema";
import type { Resolution } from "@/lib/approvals/schema";

/** Returns a field's value as text. */
export function valueInWords(field: FieldSchema, value: unknown): string {
  if (isMoney(field)) {
    const { amount, currency } = value as { amount: string; currency: string };
    return `${amount} ${currency}`;
  }
  if (isItems(field)) {
    const verdicts = value as Record<string, string>;
    const rejected = field.items.filter(({ id }) => verdicts[id] === "reject").map(({ label }) => label);
    const total = field.items.length;
    return `${total - rejected.length} of ${total} approved${rejected.length > 0 ? `. Rejected: ${rejected.join(", ")}` : ""}`;
  }
  if (field.type === "boolean") return value === true ? "Yes" : "No";
  if (field.type !== "string" && field.type !== "array") return String(value);
  const titles = new Map(choicesOf(field)?.map((it) => [it.value, it.title]));
  const titleOf = (it: unknown) => titles.get(String(it)) ?? String(it);
  return Array.isArray(value) ? value.map(titleOf).join(", ") || "None" : titleOf(value);
}

type ShownValuesProps = { approval: Pick<InboxApproval, "fields">; values: Resolution["values"] };

/** The values of an answer, each with the app's proposal if the owner changed it. */
export function ShownValues({ approval: { fields }, values }: ShownValuesProps) {
  if (!fields || !values) return null;
  const rows = Object.entries(fields.properties).filter(([name]) => Object.hasOwn(values, name));
  if (rows.length === 0) return null;
  return (
    <dl className="mt-2 grid grid-cols-[fit-content(40%)_minmax(0,1fr)] items-baseline gap-x-5 gap-y-1">
      {rows.map(([name, field]) => {
        const [text, proposed] = [values[name], field.default].map((it) =>
          it === undefined ? undefined : valueInWords(field, it),
        );
        return (
          <div key={name} className="contents">
            <dt className="text-muted">
              <bdi>{field.title ?? name}</bdi>
            </dt>
            <dd className="wrap-anywhere font-medium">
              <bdi>{text}</bdi>
              {proposed !== undefined && proposed !== text ? (
                <span className="font-normal text-muted">
                  {" "}
                  (proposed <bdi>{proposed}</bdi>)
                </span>
              ) : null}
            </dd>
          </div>
        );
      })}
    </dl>
  );
}
