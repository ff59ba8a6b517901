"use client";
import { ActionButton } from "@/components/actions/action-button";
import type { InboxApproval } from "@/components/approvals/inbox-approval";
import { shouldKeepFocus } from "@/components/triage/fallback-focus";
import { Button } from "@/components/ui/button";
import { ChevronIcon } from "@/components/ui/icons";
import { countText, plural } from "@/lib/text/plural";
import { maxSelected, selectAllWords } from "../answer-question-or-selection";
import { type ListItem, type ListSection, sectionNames } from "./arrange-sections";
import { rowGrid } from "./inbox-row";
import { useExitAnimation } from "./use-exit-animation";
import { useLongPress } from "./use-long-press";

type Group = ListItem & { kind: "group" };

type RowsProps = {
  sections: readonly ListSection[];
  row: (approval: InboxApproval) => React.ReactNode;
  /** The open decision. If its group is collapsed, the group is highlighted. */
  current: InboxApproval | undefined;
  onFold: (key: string, open: boolean) => void;
  /**
   * Returns the number of questions from an app or in a set-aside section, including those on other
   * pages of the list.
   */
  countOf: (key: string) => number;
  /** Returns the number of questions in a group, excluding the app's rows outside the group. */
  countIn: (group: Group) => number;
  onTogether: (group: Group) => void;
  onHeld: (id: string) => void;
};

/**
 * The rows of the list in their sections. Sections of set-aside questions can be collapsed. The
 * others have a heading.
 */
export function Rows({ sections, onHeld, ...list }: RowsProps) {
  const longPress = useLongPress(onHeld);
  return (
    <div ref={useExitAnimation()} className="pb-2 [&>section:first-child>h2]:pt-2" {...longPress}>
      {sections.map((section) => {
        const { name, items } = section;
        if (name === "asked" || name === "muted") return <Aside key={name} name={name} section={section} {...list} />;
        return (
          <section
            key={name ?? ""}
            {...(name ? { "aria-labelledby": `section-${name}` } : { "aria-label": "Questions" })}
          >
            {name ? (
              <h2 id={`section-${name}`} className="px-4 pt-3.5 pb-1.5 text-xs font-semibold text-muted sm:px-5">
                {sectionNames[name]}
              </h2>
            ) : null}
            <Items items={items} {...list} />
          </section>
        );
      })}
    </div>
  );
}

type ListProps = Omit<RowsProps, "sections" | "onHeld">;

const Items = ({ items, ...list }: { items: readonly ListItem[] } & ListProps) => (
  <ul>
    {items.map((item) =>
      item.kind === "row" ? list.row(item.approval) : <GroupRow key={item.key} group={item} {...list} />,
    )}
  </ul>
);

/** Several more questions from one app, as one row that expands. */
function GroupRow({ group, row, current, onFold, countIn, onTogether }: { group: Group } & ListProps) {
  const { key, name, rows, open, alike } = group;
  const count = countIn(group);
  if (count === 0) return open ? rows.map(row) : null;
  const frozen = rows.every((it) => it.frozen);
  const isHere = current !== undefined && !open && rows.includes(current);
  const shown = countText(Math.min(count, maxSelected));
  return (
    <li className="row">
      <details open={open} data-fold="burst" className="group/fold">
        {/* biome-ignore lint/a11y/noStaticElementInteractions: a summary is a button by nature */}
        <summary
          {...(isHere ? { "aria-current": "true" as const } : {})}
          onClick={(event) => {
            event.preventDefault();
            onFold(key, !open);
          }}
          className={`${rowGrid} cursor-pointer pointer-coarse:min-h-14 lg:aria-[current=true]:bg-fill`}
        >
          <span
            aria-hidden="true"
            className="mt-0.5 grid size-7 place-items-center rounded-[0.4375rem] bg-line text-[0.6875rem] font-semibold tabular-nums"
          >
            {count > 99 ? "99+" : `+${count}`}
          </span>
          <span className="min-w-0">
            <span className="line-clamp-2">
              {countText(count)} more from <bdi>{name}</bdi>
            </span>
            <span className="block truncate text-xs text-muted compact:hidden">
              {frozen ? "Frozen" : alike ? "Same options · answer together" : "Different options"}
            </span>
          </span>
          <ChevronIcon className="mt-0.5 size-4 text-muted group-open/fold:rotate-90" />
        </summary>
        {frozen ? null : (
          <div className="px-4 py-2 sm:px-5">
            <Button size="small" onClick={() => onTogether(group)} className="max-w-full">
              {alike
                ? `Answer ${count > maxSelected ? "the first" : "all"} ${shown} together…`
                : selectAllWords(count, shown)}
              <span className="sr-only"> from {name}</span>
            </Button>
          </div>
        )}
        <ul>{rows.map(row)}</ul>
        <ShownOf rows={rows.length} count={count} />
      </details>
    </li>
  );
}

/** A note below a group that does not show all of its questions. */
const ShownOf = ({ rows, count }: { rows: number; count: number }) =>
  count > rows ? (
    <p className="px-4 py-2 text-xs text-muted sm:px-5">
      Showing {rows} of {countText(count)} questions.
    </p>
  ) : null;

type AsideProps = { name: "asked" | "muted"; section: ListSection } & ListProps;

/** A collapsible section of set-aside questions, which come last in the list. */
function Aside({ name, section: { items, open }, countOf, onFold, row }: AsideProps) {
  const rows = items.flatMap((item) => (item.kind === "row" ? [item.approval] : []));
  const count = countOf(name);
  return (
    <details open={open} data-fold={name} className="group/fold mt-2 border-t border-line">
      {/* biome-ignore lint/a11y/noStaticElementInteractions: a summary is a button by nature */}
      <summary
        onClick={(event) => {
          event.preventDefault();
          onFold(name, !open);
        }}
        className="flex min-h-11 cursor-pointer items-center gap-2 px-4 text-xs text-muted -outline-offset-2 hover:bg-fill sm:px-5"
      >
        <span className="font-semibold">
          {name === "asked" && rows.every(({ match }) => match?.picked === "wrong") ? "Closed" : sectionNames[name]}
        </span>
        <span className="me-auto tabular-nums">
          {plural(count, { one: "# question", other: "# questions" }, countText(count))}
        </span>
        <ChevronIcon className="size-4 group-open/fold:rotate-90" />
      </summary>
      {name === "muted" ? (
        byApp(rows).map(([first, its]) => (
          <section key={first.clientId} ref={shouldKeepFocus} aria-label={first.app.name}>
            <div className="flex items-center justify-between gap-2 px-4 py-1 text-xs text-muted sm:px-5">
              <bdi className="min-w-0 truncate">{first.app.name}</bdi>
              <ActionButton
                of="approval.mute"
                with={{ id: first._id, clientId: first.clientId, muted: "no" }}
                variant="quiet"
                size="small"
              >
                Unmute<span className="sr-only"> {first.app.name}</span>
              </ActionButton>
            </div>
            <ul>{its.map(row)}</ul>
          </section>
        ))
      ) : (
        <ul>{rows.map(row)}</ul>
      )}
      <ShownOf rows={rows.length} count={count} />
    </details>
  );
}

function byApp(rows: InboxApproval[]): [InboxApproval, InboxApproval[]][] {
  const apps = new Map<string, [InboxApproval, InboxApproval[]]>();
  for (const approval of rows) {
    const app = apps.get(approval.clientId);
    if (app) app[1].push(approval);
    else apps.set(approval.clientId, [approval, [approval]]);
  }
  return [...apps.values()];
}
