import type { Fact } from "@/lib/approvals/facts";

/** An amount of money: a number with a currency symbol or code before or after it. */
const amount =
  /^[-−]?\s?(?:(?:[A-Z]{0,3}\p{Sc}|[A-Z]{3})\s?[-−]?\d[\d.,'’\s]*|\d[\d.,'’\s]*(?:[A-Z]{0,3}\p{Sc}|[A-Z]{3}))$/u;
export const isAmount = (value: string): boolean => amount.test(value.trim());

type FactsProps = {
  facts?: readonly Fact[] | undefined;
  /** The option that is recorded if no one answers. */
  otherwise?: string | undefined;
};

/**
 * A question's facts in the app's order, followed by its default. The first fact is large if it is
 * an amount of money.
 */
export function Facts({ facts = [], otherwise }: FactsProps) {
  const rows = [...facts, ...(otherwise === undefined ? [] : [{ label: "If unanswered", value: otherwise }])];
  if (rows.length === 0) return null;
  return (
    <dl className="grid grid-cols-[fit-content(40%)_minmax(0,1fr)] items-baseline gap-x-5 gap-y-2">
      {rows.map(({ label, value }, index) => (
        // The index is the key, because labels can repeat and facts never change.
        // biome-ignore lint/suspicious/noArrayIndexKey: a fact has no other identity
        <div key={index} className="contents">
          <dt className="text-muted">
            <bdi>{label}</bdi>
          </dt>
          <dd
            className={`wrap-anywhere ${index === 0 && facts.length > 0 && isAmount(value) ? "text-lg font-semibold" : "font-medium"}`}
          >
            <bdi>{value}</bdi>
          </dd>
        </div>
      ))}
    </dl>
  );
}
