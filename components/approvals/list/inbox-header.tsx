"use client";
import { inboxUrl } from "@/components/approvals/inbox-url";
import { StaleNotice } from "@/components/live/stale-notice";
import { DotsIcon, SearchIcon } from "@/components/ui/icons";
import { Link } from "@/components/ui/link";
import { LinkMenu, MenuLink, menuItem } from "@/components/ui/link-menu";
import type { ApprovalFilter } from "@/lib/approvals/schema";
import { plural, upTo } from "@/lib/text/plural";
import { SearchField } from "./search-as-you-type";

export type InboxHead = {
  filter: ApprovalFilter;
  apps: { appId: string; name: string }[];
  /** The numbers of pending, snoozed and expired questions. The expired count is at most 100. */
  counts: { waiting: number; snoozed: number; passed: number };
};

type TopProps = InboxHead & {
  /** Starts selecting questions, if there are any. */
  onSelect?: (() => void) | undefined;
  /** Additional search fields: the filters of the answers. */
  fields?: React.ReactNode;
};

const tabs = [
  ["waiting", "Waiting"],
  ["snoozed", "Snoozed"],
  ["answered", "Answered"],
] as const;

/**
 * The list's tabs, search and filters. They are links and plain forms, so that every view has a
 * URL.
 */
export function InboxHeader({ filter, apps, counts, onSelect, fields }: TopProps) {
  const { list, appId, text } = filter;
  const view = { ...filter, after: undefined };
  const isHistory = list === "answered";
  const isEmpty = list === "waiting" && counts.waiting === 0 && text === undefined && appId === undefined;
  const search = <SearchForm view={view} fields={fields} />;
  return (
    <div>
      <StaleNotice />
      <Lists {...{ list, appId, counts }} />
      <Expired {...{ list, appId, counts }} />
      {isHistory ? (
        search
      ) : isEmpty ? null : (
        <details open={text !== undefined}>
          <summary className={`${iconButton} absolute top-3.5 inset-e-13 sm:inset-e-14`}>
            <SearchIcon />
            <span className="sr-only">Search questions</span>
          </summary>
          <div className="pb-1">{search}</div>
        </details>
      )}
      {isEmpty || isHistory ? null : <Filters {...{ view, apps, onSelect }} />}
    </div>
  );
}

/** The classes of an icon in the heading's line. */
export const iconButton =
  "grid size-10 cursor-pointer place-items-center rounded-lg text-muted hover:bg-fill hover:text-ink";

type ListsProps = Pick<ApprovalFilter, "list" | "appId"> & Pick<TopProps, "counts">;

function Lists({ list, appId, counts }: ListsProps) {
  return (
    <nav aria-label="Question lists">
      <ul className="flex flex-wrap gap-x-5">
        {tabs.map(([name, label]) => {
          // The heading shows the count of the list on screen.
          const count = name === "answered" || name === list ? 0 : counts[name];
          return (
            <li key={name}>
              <Link
                href={inboxUrl({ list: name, appId })}
                {...(name === list ? { "aria-current": "page" as const } : {})}
                className="flex min-h-10 items-center gap-1.5 text-muted hover:text-ink aria-[current=page]:font-semibold aria-[current=page]:text-ink forced-colors:aria-[current=page]:underline forced-colors:aria-[current=page]:outline-1"
              >
                {label}
                {count > 0 ? <span className="text-xs font-normal tabular-nums">{upTo(9_999, count)}</span> : null}
              </Link>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}

/**
 * On the list of expired questions, an explanation. On the pending list, the link to the expired
 * questions, if there are any.
 */
function Expired({ list, appId, counts }: ListsProps) {
  if (list === "passed") return <p className="text-muted">These questions expired before anyone answered.</p>;
  if (counts.passed === 0 || list !== "waiting") return null;
  return (
    <p>
      <Link href={inboxUrl({ list: "passed", appId })} className="link inline-flex min-h-10 items-center">
        {plural(counts.passed, { one: "# question expired", other: "# questions expired" }, upTo(99, counts.passed))}
      </Link>
    </p>
  );
}

function SearchForm({ view, fields }: { view: ApprovalFilter } & Pick<TopProps, "fields">) {
  const { list, appId, text, sort } = view;
  const isHistory = list === "answered";
  return (
    // With a new key for each view, the fields show that view's values.
    <form
      key={JSON.stringify({ ...view, text: undefined })}
      action="/approvals"
      aria-label="Search and filters"
      className="grid grid-cols-1 gap-2"
    >
      {list === "waiting" ? null : <input type="hidden" name="status" value={isHistory ? "resolved" : list} />}
      {appId && !isHistory ? <input type="hidden" name="app" value={appId} /> : null}
      {sort ? <input type="hidden" name="sort" value={sort} /> : null}
      <SearchField
        label={isHistory ? "Search answers" : "Search questions"}
        value={text}
        all={inboxUrl({ ...view, text: undefined })}
      />
      {fields}
    </form>
  );
}

type FiltersProps = { view: ApprovalFilter } & Pick<TopProps, "apps" | "onSelect">;

/** A menu to select questions, and to filter them by app and order. */
function Filters({ view, apps, onSelect }: FiltersProps) {
  const { list, appId, sort } = view;
  const app = apps.find((it) => it.appId === appId)?.name;
  const label = onSelect ? "Select and filter" : "Filter";
  return (
    <nav aria-label="Filters">
      <LinkMenu
        summary={iconButton}
        title={label}
        className="absolute top-3.5 inset-e-2 sm:inset-e-3"
        label={
          <>
            <DotsIcon className={`size-5 ${appId || sort ? "text-ink" : ""}`} />
            <span className="sr-only">
              {label}
              {app ? `: ${app}` : ""}
            </span>
          </>
        }
      >
        {onSelect ? (
          <li className="border-b border-line">
            <button
              type="button"
              onClick={(event) => {
                event.currentTarget.closest("details")?.removeAttribute("open");
                onSelect();
              }}
              className={`${menuItem} w-full`}
            >
              Select questions
            </button>
          </li>
        ) : null}
        <MenuLink href={inboxUrl({ ...view, appId: undefined })} here={appId === undefined}>
          All apps
        </MenuLink>
        {apps.map((it) => (
          <MenuLink key={it.appId} href={inboxUrl({ ...view, appId: it.appId })} here={it.appId === appId}>
            {it.name}
          </MenuLink>
        ))}
        {list === "waiting" ? (
          <li className="border-t border-line">
            <Link
              href={inboxUrl({ ...view, sort: sort ? undefined : "newest" })}
              {...(sort ? { "aria-current": "true" as const } : {})}
              className={menuItem}
            >
              Newest first
            </Link>
          </li>
        ) : null}
      </LinkMenu>
    </nav>
  );
}
