import { Button, buttonClass } from "@/components/ui/button";
import { Field, Select, TextInput } from "@/components/ui/fields/field";
import { SearchBox } from "@/components/ui/fields/search-box";
import { ChevronIcon } from "@/components/ui/icons";
import type { ActivityFilter } from "@/lib/events/schema";
import { kindNames } from "./kinds";

type ActivityFiltersProps = { filter: ActivityFilter; apps: { appId: string; name: string }[] };

/** What to show, as a plain form: every view has an address, with or without scripts. */
export function ActivityFilters({ filter, apps }: ActivityFiltersProps) {
  const { appId, kind, subject, text, from, to } = filter;
  return (
    <form
      // Made anew for another view, so that it shows what holds.
      key={JSON.stringify(filter)}
      action="/activity"
      aria-label="What to show"
      className="mb-4 grid grid-cols-1 gap-3 rounded-xl border border-line bg-raised p-3 shadow-card sm:p-4"
    >
      {subject ? <input type="hidden" name="subject" value={subject} /> : null}
      <SearchBox label="Search activity" placeholder="Words, a name, an id" value={text} />
      <details className="group unfolded" open={Boolean(appId ?? kind ?? from ?? to)}>
        <summary className={`${buttonClass({ variant: "quiet", size: "small" })} -ml-3`}>
          <ChevronIcon className="size-4 rotate-90 group-open:-rotate-90" />
          By app, kind or day
        </summary>
        <div className="grid items-end gap-3 pt-2 min-[23rem]:grid-cols-2 sm:pt-0 lg:grid-cols-[2fr_2fr_auto_auto_auto]">
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
        </div>
      </details>
    </form>
  );
}
