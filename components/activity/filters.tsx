import { Button } from "@/components/ui/button";
import { Field, Select, TextInput } from "@/components/ui/field";
import type { ActivityFilter } from "@/lib/events/schema";
import { kindNames } from "./kinds";

type ActivityFiltersProps = { filter: ActivityFilter; apps: { appId: string; name: string }[] };

/** What to show, as a plain form: every view has an address, with or without scripts. */
export function ActivityFilters({ filter, apps }: ActivityFiltersProps) {
  const { appId, kind, subject, from, to } = filter;
  return (
    <form
      // Made anew for another view, so that it shows what holds.
      key={JSON.stringify(filter)}
      action="/activity"
      aria-label="What to show"
      className="mb-5 grid items-end gap-3 rounded-xl border border-line bg-raised p-4 shadow-card min-[23rem]:grid-cols-2 lg:grid-cols-[2fr_2fr_auto_auto_auto]"
    >
      {subject ? <input type="hidden" name="subject" value={subject} /> : null}
      <Field label="App" name="app">
        <Select defaultValue={appId ?? ""}>
          <option value="">All apps</option>
          {apps.map((app) => (
            <option key={app.appId} value={app.appId}>
              {app.name}
            </option>
          ))}
        </Select>
      </Field>
      <Field label="Kind" name="kind">
        <Select defaultValue={kind ?? ""}>
          <option value="">Everything</option>
          {Object.entries(kindNames).map(([value, name]) => (
            <option key={value} value={value}>
              {name}
            </option>
          ))}
        </Select>
      </Field>
      <Field label="From" name="from">
        <TextInput type="date" className="min-w-0 px-1.5! sm:px-3!" defaultValue={from ?? ""} />
      </Field>
      <Field label="To" name="to">
        <TextInput type="date" className="min-w-0 px-1.5! sm:px-3!" defaultValue={to ?? ""} />
      </Field>
      <Button type="submit" className="col-span-full lg:col-span-1">
        Show
      </Button>
    </form>
  );
}
