import { ActivityFilters } from "@/components/activity/activity-filters";
import { ActivityList } from "@/components/activity/activity-list";
import { ActivityRow } from "@/components/activity/activity-row";
import { Page } from "@/components/layout/page";
import { buttonClass } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { ButtonLink, PlainLink } from "@/components/ui/styled-links";
import { urlWithQuery } from "@/components/ui/url-with-query";
import { readActivity } from "@/lib/activity/activity";
import { clock } from "@/lib/clock";
import type { ActivityFilter } from "@/lib/events/activity-schema";
import { connectedAppNames } from "@/lib/grants/connected-and-former-apps";
import { readSettings } from "@/lib/owners/settings";
import { dayName } from "@/lib/text/dates";
import { dayOf } from "@/lib/text/local-time";
import { requireOwner } from "@/lib/web/session";
import { filterFrom } from "./parse-filter";

export const metadata = { title: "Activity" };

type Search = Promise<Record<string, string | string[] | undefined>>;

export default async function Activity({ searchParams }: { searchParams: Search }) {
  const owner = await requireOwner();
  const given = Object.entries(await searchParams).map(([name, value]) => [name, String(value)]);
  const filter = filterFrom(new URLSearchParams(given));
  const { before, ...view } = filter;
  const [{ timeZone }, apps] = await Promise.all([readSettings(owner), connectedAppNames(owner)]);
  const { items, next, reached } = await readActivity(owner, filter, { timeZone });
  const today = dayOf(clock.now(), timeZone);
  const rows = items.map((item) => ({
    id: item.id,
    day: dayName(dayOf(item.at, timeZone), today),
    row: <ActivityRow key={item.id} item={item} />,
  }));
  const narrowed = Object.keys(view).length > 0;
  return (
    <Page title="Activity">
      {view.subject ? (
        <p className="mb-3">
          Showing only activity for <span className="mono">{view.subject}</span>.{" "}
          <PlainLink href="/activity">Show all activity</PlainLink>
        </p>
      ) : null}
      <ActivityFilters filter={view} apps={apps} all={activityAddress({ ...view, text: undefined })} />
      {rows.length > 0 ? (
        <ActivityList key={activityAddress(filter)} rows={rows} newest={before === undefined} />
      ) : (
        <EmptyState
          title="No activity found"
          action={
            next ? undefined : (
              <ButtonLink href="/activity">{before ? "Show latest activity" : "Show all activity"}</ButtonLink>
            )
          }
        >
          {narrowed
            ? "No activity matches this filter."
            : before
              ? "The log has no older entries."
              : "This log records your actions and your apps’ actions."}
        </EmptyState>
      )}
      {reached !== undefined ? (
        <p className="mt-4 text-center text-muted">
          Searched entries back to {dayName(dayOf(reached, timeZone), today)}.
        </p>
      ) : null}
      {next || before ? (
        <nav aria-label="Pages" className="mt-4 flex flex-wrap justify-center gap-2">
          {before ? <ButtonLink href={activityAddress(view)}>Newest entries</ButtonLink> : null}
          {next ? (
            <ButtonLink href={activityAddress({ ...view, before: next })}>
              {reached === undefined ? "Older entries" : "Search older entries"}
            </ButtonLink>
          ) : null}
        </nav>
      ) : null}
      <footer className="mt-6 grid gap-3 text-muted">
        {rows.length > 0 ? (
          <p className="flex flex-wrap items-center gap-x-3 gap-y-2">
            <span>{narrowed ? "Download all matching entries:" : "Download all entries:"}</span>
            {(["csv", "jsonl"] as const).map((format) => (
              <a
                key={format}
                href={activityAddress(view, "/activity/export", format)}
                className={buttonClass({ size: "small" })}
              >
                {format === "csv" ? "CSV" : "JSON Lines"}
              </a>
            ))}
          </p>
        ) : null}
        <p>You can’t edit or delete entries. Times are in {timeZone.replaceAll("_", " ")}.</p>
      </footer>
    </Page>
  );
}

/** Returns the URL of the filtered activity page or of its export. */
const activityAddress = (
  { appId, kind, subject, text, from, to, before }: ActivityFilter,
  path = "/activity",
  format?: string,
) => urlWithQuery(path, { q: text, app: appId, kind, subject, from, to, before, format });
