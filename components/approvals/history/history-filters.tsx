import { Button, buttonClass } from "@/components/ui/button";
import { Field, Select, TextInput } from "@/components/ui/fields/field";
import { ChevronIcon } from "@/components/ui/icons";
import type { ApprovalFilter } from "@/lib/approvals/schema";

type HistoryFiltersProps = { [Name in "by" | "kind" | "from" | "to"]: ApprovalFilter[Name] | undefined };

/** What of the answers to show; a part of the form that also searches. */
export function HistoryFilters({ by, kind, from, to }: HistoryFiltersProps) {
  const used = [by, kind, from, to].filter(Boolean).length;
  return (
    <details className="group" open={used > 0}>
      <summary className={`${buttonClass({ variant: "quiet", size: "small" })} -ml-3`}>
        <ChevronIcon className="size-4 rotate-90 group-open:-rotate-90" />
        By whom, how, when
      </summary>
      <div className="grid grid-cols-2 items-end gap-2 pt-1 pb-1">
        <Field label="Answered by" name="by">
          <Select defaultValue={by ?? ""}>
            <option value="">Anyone</option>
            <option value="owner">You</option>
            <option value="api">The app itself</option>
          </Select>
        </Field>
        <Field label="With" name="how">
          <Select defaultValue={kind ?? ""}>
            <option value="">Anything</option>
            <option value="option">An option</option>
            <option value="other">Own words</option>
          </Select>
        </Field>
        <Field label="From" name="from">
          <TextInput type="date" className="min-w-0 px-1.5!" defaultValue={from ?? ""} />
        </Field>
        <Field label="To" name="to">
          <TextInput type="date" className="min-w-0 px-1.5!" defaultValue={to ?? ""} />
        </Field>
        <Button type="submit" className="col-span-full">
          Show
        </Button>
      </div>
    </details>
  );
}
