import { Chip, Menu, MenuLink } from "@/components/ui/chips";
import { SearchInput } from "@/components/ui/fields/search-input";
import { Link } from "@/components/ui/link";
import { type FeedView, feedAddress, isNarrowed } from "./types";

type FiltersProps = {
  view: FeedView;
  apps: { appId: string; name: string }[];
  types: string[];
  snoozed: number;
  muted: number;
};

const tabs = [
  { place: "inbox", label: "Inbox" },
  { place: "snoozed", label: "Snoozed" },
  { place: "done", label: "Done" },
] as const;

/**
 * Tabs, filters and search. They are links and a form, so that every view has a URL. A second press
 * removes a filter.
 */
export function FeedFilters({ view, apps, types, snoozed, muted }: FiltersProps) {
  const { place, appId, type, unread, search } = view;
  const { muted: showsMuted, unread: _, ...rest } = view;
  const { appId: _app, ...anyApp } = view;
  const { type: _type, ...anyType } = view;
  const kinds = [...new Set([...types, ...(type ? [type] : [])])].filter((kind) => kind.trim());
  const chosen = [apps.find((app) => app.appId === appId)?.name, type, showsMuted ? "Muted" : undefined].filter(
    (it) => it !== undefined,
  );
  const choices = [
    ...(apps.length > 1 || appId
      ? apps.map((app) => (
          <MenuLink
            key={app.appId}
            href={feedAddress(app.appId === appId ? anyApp : { ...view, appId: app.appId })}
            here={app.appId === appId}
          >
            {app.name}
          </MenuLink>
        ))
      : []),
    ...(kinds.length > 1 || type
      ? kinds.map((each) => (
          <MenuLink
            key={` ${each}`}
            href={feedAddress(each === type ? anyType : { ...view, type: each })}
            here={each === type}
          >
            <bdi className="font-mono text-xs">{each}</bdi>
          </MenuLink>
        ))
      : []),
    ...(place === "inbox" && (muted > 0 || showsMuted)
      ? [
          <MenuLink
            key="muted"
            href={feedAddress(showsMuted ? rest : { ...rest, muted: true })}
            here={showsMuted === true}
          >
            Muted {muted > 99 ? "99+" : muted}
          </MenuLink>,
        ]
      : []),
  ];
  return (
    <div className="mb-1 flex flex-wrap items-center gap-2">
      <nav aria-label="Notification lists" className="max-sm:w-full">
        <ul className="grid grid-cols-3 rounded-lg border border-line bg-bg p-0.5 text-center">
          {tabs.map((tab) => (
            <li key={tab.place}>
              <Link
                href={feedAddress({ place: tab.place, ...(appId && { appId }), ...(type && { type }) })}
                {...(tab.place === place ? { "aria-current": "true" as const } : {})}
                className="flex min-h-11 items-center justify-center gap-1.5 rounded-md px-4 text-muted hover:text-text aria-[current=true]:bg-raised aria-[current=true]:font-semibold aria-[current=true]:text-text aria-[current=true]:shadow-card sm:min-h-8"
              >
                {tab.label}
                {tab.place === "snoozed" && snoozed > 0 ? (
                  <span className="text-xs tabular-nums">{snoozed > 99 ? "99+" : snoozed}</span>
                ) : null}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <nav aria-label="Views" className="contents">
        {place === "inbox" ? (
          <ul>
            <Chip href={feedAddress(unread ? rest : { ...rest, unread: true })} here={unread === true}>
              Unread
            </Chip>
          </ul>
        ) : null}
        {choices.length > 0 || isNarrowed(view) ? (
          <Menu
            label={
              <>
                <span className="sr-only">Show: </span>
                <bdi className="max-w-40 truncate">{chosen.join(" · ") || "All"}</bdi>
              </>
            }
          >
            {choices}
            {isNarrowed(view) ? (
              <MenuLink href={feedAddress({ place })} here={false}>
                Clear
              </MenuLink>
            ) : null}
          </Menu>
        ) : null}
      </nav>
      <search className="basis-32 grow sm:ms-auto sm:max-w-64">
        <form action="/notifications">
          {Object.entries(hidden(view)).map(([name, value]) => (
            <input key={name} type="hidden" name={name} value={value} />
          ))}
          <SearchInput
            defaultValue={search}
            aria-label="Search notifications"
            placeholder="Search"
            className="px-3 sm:min-h-9"
          />
        </form>
      </search>
    </div>
  );
}

/** The view's parameters that a search keeps. */
const hidden = ({ search: _, ...view }: FeedView) =>
  Object.fromEntries(new URL(feedAddress(view), "https://here.invalid").searchParams);
