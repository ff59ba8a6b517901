"use client";
import { useEffect, useRef } from "react";
import { inboxAddress } from "@/components/approvals/address";
import { HistoryFilters } from "@/components/approvals/history/history-filters";
import { Stale } from "@/components/live/stale-notice";
import { AppMenu, Menu, menuItem } from "@/components/ui/chips";
import { Link } from "@/components/ui/link";
import { ButtonLink } from "@/components/ui/links";
import { useFormats } from "@/components/ui/time/formats";
import type { ApprovalFilter } from "@/lib/approvals/schema";
import { countText, upTo } from "@/lib/text/formats";
import { plural } from "@/lib/text/plural";
import { SearchField } from "./search-field";
import { useGrow } from "./use-open-approval";

type TopProps = {
  filter: ApprovalFilter;
  apps: { appId: string; name: string }[];
  /** The numbers of pending, snoozed and expired questions; at most 100 expired. */
  counts: { waiting: number; snoozed: number; passed: number };
  /** Whether the owner has never answered an app. */
  isNew: boolean;
};

const tabs = [
  ["waiting", "Waiting"],
  ["snoozed", "Snoozed"],
  ["answered", "Answered"],
] as const;
const sorts = [
  ["longest", "Oldest first"],
  ["newest", "Newest first"],
  ["deadline", "Next deadline first"],
  ["riskiest", "Riskiest first"],
  ["app", "By app"],
] as const;

const shortSorts = { longest: "Oldest", newest: "Newest", deadline: "Deadline", riskiest: "Riskiest", app: "By app" };

/**
 * The list's tabs, search, filters and order. They are links and a plain form, so that every view
 * has a URL.
 */
export function InboxTop({ filter, apps, counts, isNew }: TopProps) {
  const { list, appId, text, sort = "longest", risk, by, kind, from, to } = filter;
  const view = { ...filter, after: undefined };
  const isHistory = list === "answered";
  const nothingYet = isNew && list === "waiting" && counts.waiting === 0 && text === undefined;
  return (
    <div className="mt-1.5 grid grid-cols-1 gap-2">
      <Stale />
      <Lists {...{ list, appId, counts }} />
      <Expired {...{ list, appId, counts }} />
      {/* The key remounts the form for another view, so that it shows the current values. */}
      <form
        key={JSON.stringify({ ...view, text: undefined })}
        action="/approvals"
        aria-label="Search and filters"
        className="grid grid-cols-1 gap-2"
      >
        {list === "waiting" ? null : <input type="hidden" name="status" value={isHistory ? "resolved" : list} />}
        {appId ? <input type="hidden" name="app" value={appId} /> : null}
        {sort === "longest" ? null : <input type="hidden" name="sort" value={sort} />}
        {risk ? <input type="hidden" name="risk" value={risk} /> : null}
        <div className={nothingYet ? "hidden" : "flex gap-2"}>
          <SearchField
            label={isHistory ? "Search answers" : "Search questions"}
            value={text}
            all={inboxAddress({ ...view, text: undefined })}
          />
          <AppMenu apps={apps} appId={appId} to={(only) => inboxAddress({ ...view, appId: only })} />
          {isHistory ? <ExportMenu view={view} /> : list === "passed" ? null : <OrderMenu view={view} />}
        </div>
        {isHistory ? <HistoryFilters by={by} kind={kind} from={from} to={to} /> : null}
      </form>
    </div>
  );
}

type ListsProps = Pick<ApprovalFilter, "list" | "appId"> & Pick<TopProps, "counts">;

function Lists({ list, appId, counts }: ListsProps) {
  const formats = useFormats();
  return (
    <nav aria-label="Lists">
      <ul className="grid grid-cols-3 rounded-lg bg-fill p-0.5 forced-colors:border text-center">
        {tabs.map(([name, label]) => {
          // The open list's count is in its heading.
          const count = name === "answered" || name === list ? 0 : counts[name];
          return (
            <li key={name}>
              <Link
                href={inboxAddress({ list: name, appId })}
                {...(name === list ? { "aria-current": "page" as const } : {})}
                className="flex min-h-10 items-center justify-center gap-1.5 rounded-md text-muted hover:text-ink aria-[current=page]:bg-raised aria-[current=page]:font-semibold aria-[current=page]:text-ink aria-[current=page]:pointer-coarse:min-h-11 lg:min-h-8"
              >
                {label}
                {count > 0 ? (
                  <span className="text-xs font-normal tabular-nums">{upTo(9_999, count, formats)}</span>
                ) : null}
              </Link>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}

/** A note on the list of expired questions, or the link to it. */
function Expired({ list, appId, counts }: ListsProps) {
  const formats = useFormats();
  if (list === "passed")
    return <p className="text-muted">These questions expired without an answer. They can no longer be answered.</p>;
  if (counts.passed === 0 || list !== "waiting") return null;
  return (
    <p>
      <Link href={inboxAddress({ list: "passed", appId })} className="link inline-flex min-h-8 items-center">
        {plural(
          counts.passed,
          { one: "# question expired", other: "# questions expired" },
          upTo(99, counts.passed, formats),
        )}
      </Link>
    </p>
  );
}

const ExportMenu = ({ view }: { view: ApprovalFilter }) => (
  <Menu label="Export">
    {(["csv", "jsonl"] as const).map((format) => (
      <li key={format}>
        <a href={`${inboxAddress(view, "/approvals/export")}&format=${format}`} className={menuItem}>
          {format === "csv" ? "As CSV" : "As JSON Lines"}
        </a>
      </li>
    ))}
  </Menu>
);

/** The order of the list, and whether it has only risky questions. */
function OrderMenu({ view }: { view: ApprovalFilter }) {
  const { sort = "longest", risk } = view;
  return (
    <Menu
      label={
        <>
          <span className="sr-only">{risk ? "Only: " : "Sorted: "}</span>
          {risk ? "High risk" : shortSorts[sort]}
        </>
      }
    >
      {sorts.map(([name, label]) => (
        <li key={name}>
          <Link
            href={inboxAddress({ ...view, sort: name === "longest" ? undefined : name })}
            {...(name === sort ? { "aria-current": "true" as const } : {})}
            className={menuItem}
          >
            {label}
          </Link>
        </li>
      ))}
      <li className="border-t border-line">
        <Link
          href={inboxAddress({ ...view, risk: risk ? undefined : "high" })}
          {...(risk ? { "aria-current": "true" as const } : {})}
          className={menuItem}
        >
          High risk only
        </Link>
      </li>
    </Menu>
  );
}

type MoreProps = {
  filter: ApprovalFilter;
  /** Whether more of the list can follow on this page. */
  grows: boolean;
  next: string | undefined;
  /** How far back a stopped search got, in words. */
  reached: string | undefined;
};

/** Links to more of the list, to the next fifty, and back to the first. */
export function More({ filter, grows, next, reached }: MoreProps) {
  const formats = useFormats();
  if (grows) return <ShowMore href={inboxAddress({ ...filter, rows: "50" })} />;
  const first = filter.after === undefined;
  if (!next && first) return null;
  const onwards = filter.list === "answered" ? "Earlier answers" : "Next 50";
  return (
    <nav aria-label="Pages" className="grid gap-2 px-4 py-3">
      {reached ? (
        <p className="text-muted">
          Searched {countText(10_000, formats)} questions, back to {reached}.
        </p>
      ) : null}
      <div className="flex flex-wrap justify-between gap-2">
        {first ? (
          <span />
        ) : (
          <ButtonLink href={inboxAddress({ ...filter, after: undefined })} size="small">
            Back to the first
          </ButtonLink>
        )}
        {next ? (
          <ButtonLink href={inboxAddress({ ...filter, after: next })} size="small">
            {reached ? "Keep searching" : onwards}
          </ButtonLink>
        ) : null}
      </div>
    </nav>
  );
}

/** Loads more as the end of the list comes into view. */
function ShowMore({ href }: { href: string }) {
  const link = useRef<HTMLElement>(null);
  const grow = useGrow();
  useEffect(() => {
    const stop = new AbortController();
    const look = () => {
      const [place] = link.current?.getClientRects() ?? [];
      if (!place || place.top > 1.5 * window.innerHeight) return;
      stop.abort();
      grow();
    };
    // Only after scrolling, because with grouped apps the end of the list is always in view.
    document.addEventListener("scroll", look, { capture: true, passive: true, signal: stop.signal });
    return () => stop.abort();
  }, [grow]);
  return (
    <nav aria-label="Pages" ref={link} className="grid justify-items-center px-4 py-3">
      <ButtonLink
        href={href}
        size="small"
        onClick={(event) => {
          event.preventDefault();
          grow();
        }}
      >
        Show more
      </ButtonLink>
    </nav>
  );
}
