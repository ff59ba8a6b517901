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
    const verdicts = Object.values(value as Record<string, string>);
    const approved = verdicts.filter((it) => it === "approve").length;
    return `${approved} of ${verdicts.length} approved`;
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
              {isItems(field) ? <Rejected field={field} verdicts={values[name] as Record<string, string>} /> : null}
            </dd>
          </div>
        );
      })}
    </dl>
  );
}

type RejectedProps = { field: Extract<FieldSchema, { format: "items" }>; verdicts: Record<string, string> };

/** The rows that the owner rejected. */
const Rejected = ({ field, verdicts }: RejectedProps) => {
  const rejected = field.items.filter(({ id }) => verdicts[id] === "reject");
  return rejected.length === 0 ? null : (
    <span className="block font-normal text-muted">
      Rejected: <bdi>{rejected.map(({ label }) => label).join(", ")}</bdi>
    </span>
  );
};
