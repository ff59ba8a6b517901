import { activityAddress, activityQuery } from "@/components/activity/address";
import { ActivityFilters } from "@/components/activity/filters";
import { ActivityRow } from "@/components/activity/row";
import { Page } from "@/components/layout/page";
import { ButtonLink, buttonClass } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { PageHeader } from "@/components/ui/page-header";
import { readActivity } from "@/lib/events/activity";
import { knownApps } from "@/lib/grants/known-apps";
import { requireOwner } from "@/lib/web/session";
import { filterFrom } from "./filter";

export const metadata = { title: "Activity" };

type Search = Promise<Record<string, string | string[] | undefined>>;

export default async function Activity({ searchParams }: { searchParams: Search }) {
  const owner = await requireOwner();
  const given = Object.entries(await searchParams).map(([name, value]) => [name, String(value)]);
  const filter = filterFrom(new URLSearchParams(given));
  const { before, ...view } = filter;
  const [{ items, next }, apps] = await Promise.all([readActivity(owner, filter), knownApps(owner)]);
  return (
    <Page>
      <PageHeader
        title="Activity"
        lead="Everything that happened with your account, newest first. Nobody can change or delete what stands here."
      />
      {view.subject ? (
        <p className="mb-3">
          What concerns <span className="mono">{view.subject}</span> alone.{" "}
          <a href="/activity" className="link">
            Show everything
          </a>
        </p>
      ) : null}
      <ActivityFilters filter={view} apps={apps} />
      {items.length > 0 ? (
        <ul className="divide-y divide-line overflow-hidden rounded-xl border border-line bg-raised shadow-card">
          {items.map((item) => (
            <ActivityRow key={item.id} item={item} />
          ))}
        </ul>
      ) : (
        <EmptyState title="Nothing here" action={<ButtonLink href="/activity">Show everything</ButtonLink>}>
          {Object.keys(filter).length > 0
            ? "Nothing of this kind happened then."
            : "What you and your apps do from now on is written down here."}
        </EmptyState>
      )}
      {next ? (
        <nav aria-label="Pages" className="mt-4 flex justify-center">
          <ButtonLink href={activityAddress({ ...view, before: next })}>Older</ButtonLink>
        </nav>
      ) : null}
      {items.length > 0 ? (
        <footer className="mt-6 flex flex-wrap items-center gap-x-3 gap-y-2 text-muted">
          <span>{Object.keys(view).length > 0 ? "Take all of this view with you:" : "Take all of it with you:"}</span>
          {(["csv", "jsonl"] as const).map((format) => (
            <a
              key={format}
              href={`/activity/export?${new URLSearchParams(`${activityQuery(view)}&format=${format}`)}`}
              download
              className={buttonClass({ size: "small" })}
            >
              {format === "csv" ? "CSV" : "JSON lines"}
            </a>
          ))}
          <span>Days are days in UTC.</span>
        </footer>
      ) : null}
    </Page>
  );
}
