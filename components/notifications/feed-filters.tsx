import { SearchInput } from "@/components/ui/fields/search-input";
import { Link } from "@/components/ui/link";
import { LinkMenu, MenuLink } from "@/components/ui/link-menu";
import { type FeedView, feedAddress, isNarrowed } from "./feed-view";

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

/** Tabs, filters and search. They are links and a form, so that every view has a URL. */
export function FeedFilters({ view, apps, types, snoozed, muted }: FiltersProps) {
  const { place, appId, type, unread, search, muted: showsMuted } = view;
  const chosen = [
    unread && "Unread",
    apps.find((app) => app.appId === appId)?.name,
    type,
    showsMuted && "Muted",
  ].filter(Boolean);
  const choices = [...unreadLink(view), ...appLinks(view, apps), ...typeLinks(view, types), ...mutedLink(view, muted)];
  return (
    <div className="mb-1 flex flex-wrap items-center gap-2">
      <Tabs view={view} snoozed={snoozed} />
      <search className="ms-auto min-w-0 grow basis-24 sm:max-w-56">
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
      {choices.length > 0 || isNarrowed(view) ? (
        <nav aria-label="Filter notifications" className="max-w-2/5">
          <LinkMenu
            label={
              <>
                <span className="sr-only">Show: </span>
                <bdi className="truncate">{chosen.join(" · ") || "All"}</bdi>
              </>
            }
          >
            {choices}
            {isNarrowed(view) ? (
              <MenuLink href={feedAddress({ place })} here={false}>
                {" "}
                Clear filters{" "}
              </MenuLink>
            ) : null}
          </LinkMenu>
        </nav>
      ) : null}
    </div>
  );
}

const Tabs = ({ view: { place, appId, type }, snoozed }: Pick<FiltersProps, "view" | "snoozed">) => (
  <nav aria-label="Notification lists" className="-ms-3 max-sm:w-full">
    <ul className="flex gap-1">
      {tabs.map((tab) => (
        <li key={tab.place}>
          <Link
            href={feedAddress({ place: tab.place, ...(appId && { appId }), ...(type && { type }) })}
            {...(tab.place === place ? { "aria-current": "true" as const } : {})}
            className="flex min-h-11 items-center gap-1.5 rounded-lg px-3 text-muted hover:text-ink aria-[current=true]:bg-fill aria-[current=true]:font-semibold aria-[current=true]:text-ink sm:min-h-9"
          >
            {tab.label}
            {tab.place === "snoozed" && snoozed > 0 ? (
              <span className="tabular-nums">{snoozed > 99 ? "99+" : snoozed}</span>
            ) : null}
          </Link>
        </li>
      ))}
    </ul>
  </nav>
);

/**
 * The link that shows only unread notifications. In the muted view, it leads to the inbox, because
 * the muted view always shows both read and unread notifications.
 */
function unreadLink({ unread, muted: _, ...rest }: FeedView) {
  if (rest.place !== "inbox") return [];
  return [
    <MenuLink key="unread" href={feedAddress(unread ? rest : { ...rest, unread: true })} here={unread === true}>
      Unread
    </MenuLink>,
  ];
}

/** The links that each show one app. */
function appLinks(view: FeedView, apps: FiltersProps["apps"]) {
  const { appId: chosen, ...anyApp } = view;
  if (apps.length <= 1 && !chosen) return [];
  return apps.map(({ appId, name }) => (
    <MenuLink key={appId} href={feedAddress(appId === chosen ? anyApp : { ...view, appId })} here={appId === chosen}>
      {name}
    </MenuLink>
  ));
}

/** The links that each show one type. */
function typeLinks(view: FeedView, types: string[]) {
  const { type: chosen, ...anyType } = view;
  const all = [...new Set([...types, ...(chosen ? [chosen] : [])])].filter((type) => type.trim());
  if (all.length <= 1 && !chosen) return [];
  return all.map((type) => (
    <MenuLink key={` ${type}`} href={feedAddress(type === chosen ? anyType : { ...view, type })} here={type === chosen}>
      <bdi>{type}</bdi>
    </MenuLink>
  ));
}

/** The link that shows muted notifications, read or unread. */
function mutedLink({ muted, unread: _, ...rest }: FeedView, count: number) {
  if (rest.place !== "inbox" || (count === 0 && !muted)) return [];
  return [
    <MenuLink key="muted" href={feedAddress(muted ? rest : { ...rest, muted: true })} here={muted === true}>
      Muted {count > 99 ? "99+" : count}
    </MenuLink>,
  ];
}

/** The view's parameters that a search keeps. */
const hidden = ({ search: _, ...view }: FeedView) =>
  Object.fromEntries(new URL(feedAddress(view), "https://here.invalid").searchParams);
