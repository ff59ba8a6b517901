import { inboxUrl } from "@/components/approvals/inbox-url";
import { type InboxHead, iconButton } from "@/components/approvals/list/inbox-header";
import { DateRangeFields } from "@/components/ui/fields/date-range-fields";
import { Field, Select } from "@/components/ui/fields/field";
import { FilterIcon } from "@/components/ui/icons";

type HistoryFiltersProps = Pick<InboxHead, "filter" | "apps">;

/**
 * The filters for past answers, as part of the search form. An icon beside the heading opens them.
 */
export function HistoryFilters({ filter, apps }: HistoryFiltersProps) {
  const { appId, by, kind, from, to } = filter;
  const isUsed = [appId, by, kind, from, to].some(Boolean);
  const names = Object.fromEntries(apps.map((app) => [app.appId, app.name]));
  const former = appId !== undefined && names[appId] === undefined ? { [appId]: "Former app" } : {};
  return (
    <details open={isUsed}>
      <summary className={`${iconButton} absolute top-3.5 inset-e-2 sm:inset-e-3`}>
        <FilterIcon className={`size-5 ${isUsed ? "text-ink" : ""}`} />
        <span className="sr-only">Filter answers</span>
      </summary>
      <div className="grid grid-cols-2 items-end gap-2 pt-1 pb-2">
        <div className="col-span-full">
          <Field label="App" name="app">
            <Select defaultValue={appId ?? ""} options={{ "": "All apps", ...names, ...former }} />
          </Field>
        </div>
        <Field label="Answered by" name="by">
          <Select defaultValue={by ?? ""} options={{ "": "Anyone", owner: "You", api: "The app itself" }} />
        </Field>
        <Field label="Answer" name="how">
          <Select
            defaultValue={kind ?? ""}
            options={{ "": "Any answer", option: "An option", other: "Your own words" }}
          />
        </Field>
        <DateRangeFields from={from} to={to} input="min-w-0 px-1.5!" button="col-span-full" />
        <p className="col-span-full flex flex-wrap gap-x-4">
          {(["csv", "jsonl"] as const).map((format) => (
            <a
              key={format}
              href={`${inboxUrl({ ...filter, after: undefined }, "/approvals/export")}&format=${format}`}
              className="link inline-flex min-h-10 items-center"
            >
              {format === "csv" ? "Download as CSV" : "Download as JSON Lines"}
            </a>
          ))}
        </p>
      </div>
    </details>
  );
}
