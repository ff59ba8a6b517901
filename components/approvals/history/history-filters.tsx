import { BetweenDays } from "@/components/ui/fields/between-days";
import { Disclosure } from "@/components/ui/fields/disclosure";
import { Field, Select } from "@/components/ui/fields/field";
import type { ApprovalFilter } from "@/lib/approvals/schema";

type HistoryFiltersProps = Pick<ApprovalFilter, "by" | "kind" | "from" | "to">;

/** Filters for the answers, inside the search form. */
export function HistoryFilters({ by, kind, from, to }: HistoryFiltersProps) {
  const used = [by, kind, from, to].filter(Boolean).length;
  return (
    <Disclosure label="Filters" open={used > 0}>
      <div className="grid grid-cols-2 items-end gap-2 pt-1 pb-1">
        <Field label="Answered by" name="by">
          <Select defaultValue={by ?? ""} options={{ "": "Anyone", owner: "You", api: "The app itself" }} />
        </Field>
        <Field label="Answer" name="how">
          <Select defaultValue={kind ?? ""} options={{ "": "Any answer", option: "An option", other: "Own words" }} />
        </Field>
        <BetweenDays from={from} to={to} input="min-w-0 px-1.5!" button="col-span-full" />
      </div>
    </Disclosure>
  );
}
