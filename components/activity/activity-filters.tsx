import { DateRangeFields } from "@/components/ui/fields/date-range-fields";
import { Disclosure } from "@/components/ui/fields/disclosure";
import { Field, Select } from "@/components/ui/fields/field";
import { SearchBox } from "@/components/ui/fields/search-box";
import type { ActivityFilter, ActivityKind } from "@/lib/events/activity-schema";

/** The label of each event group, in menu order. */
const kindNames: Record<ActivityKind, string> = {
  permissions: "Permissions",
  tokens: "Tokens",
  trouble: "Problems",
  answers: "Questions and answers",
  notifications: "Notifications",
  "sign-ins": "Sign-ins and account changes",
  apps: "Registered apps",
  accounts: "Linked accounts",
};

/** The filters, as a plain GET form. Every view has its own URL, with or without scripts. */
export function ActivityFilters({ filter, apps }: { filter: ActivityFilter; apps: { appId: string; name: string }[] }) {
  const { appId, kind, subject, text, from, to } = filter;
  return (
    <form
      // Keyed by view, so that the fields show the current filter.
      key={JSON.stringify(filter)}
      action="/activity"
      aria-label="Filter activity"
      className="mb-2 flex flex-wrap gap-2"
    >
      {subject ? <input type="hidden" name="subject" value={subject} /> : null}
      <SearchBox compact label="Search activity" placeholder="Words, a name or an ID" value={text} />
      <Disclosure
        label="Filter by app, type or day"
        open={Boolean(appId ?? kind ?? from ?? to)}
        className="open:w-full"
      >
        <div className="grid items-end gap-3 pt-2 min-[23rem]:grid-cols-2 lg:grid-cols-[2fr_2fr_auto_auto_auto]">
          <Field label="App" name="app">
            <Select
              defaultValue={appId ?? ""}
              options={{ "": "All apps", ...Object.fromEntries(apps.map((app) => [app.appId, app.name])) }}
            />
          </Field>
          <Field label="Type" name="kind">
            <Select defaultValue={kind ?? ""} options={{ "": "All types", ...kindNames }} />
          </Field>
          <DateRangeFields from={from} to={to} input="min-w-0 px-1.5! sm:px-3!" button="col-span-full lg:col-span-1" />
        </div>
      </Disclosure>
    </form>
  );
}
