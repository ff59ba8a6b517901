"use client";
import { FreezeControl } from "@/components/freeze/freeze-button";
import { ModKey } from "@/components/keyboard/key-caps";
import { WaitingCount } from "@/components/live/pending-count";
import { initialsOf } from "@/components/ui/app-icon";
import {
  ActivityIcon,
  ApprovalsIcon,
  AppsIcon,
  DeveloperIcon,
  IntegrationsIcon,
  KeyboardIcon,
  Mark,
  MoreIcon,
  NotificationsIcon,
  SearchIcon,
  SettingsIcon,
  SignOutIcon,
} from "@/components/ui/icons";
import { Link, SkipLink } from "@/components/ui/link";
import { NavFold, NavLink, OpenButton } from "./nav-controls";

type ShellProps = {
  owner: { name: string; email: string };
  /** The number of pending approvals. */
  pending: number;
  /** The number of notifications since the owner last viewed the list of notifications. */
  unseen: number;
  /** The number of linked accounts that only the owner can fix. */
  broken: number;
  /** Whether a freeze of all apps is active. */
  frozen: boolean;
  children: React.ReactNode;
};

/** The layout for owners: a navigation rail next to the page, or a bar below it on phones. */
export function Shell({ owner, pending, unseen, broken, frozen, children }: ShellProps) {
  const places: Destination[] = [
    { href: "/approvals", label: "Approvals", Icon: ApprovalsIcon, count: pending, of: "waiting" },
    { href: "/notifications", label: "Notifications", Icon: NotificationsIcon, count: unseen, of: "new" },
    { href: "/integrations", label: "Integrations", Icon: IntegrationsIcon, count: broken, of: "to reconnect" },
    { href: "/apps", label: "Apps", Icon: AppsIcon },
    { href: "/activity", label: "Activity", Icon: ActivityIcon },
    { href: "/settings", label: "Settings", Icon: SettingsIcon },
  ];
  return (
    <div className="relative sm:ps-22">
      <SkipLink href="#main">Skip to content</SkipLink>
      <Rail owner={owner} places={places} frozen={frozen} />
      <main
        id="main"
        tabIndex={-1}
        className="min-h-dvh pb-[calc(4.5rem+env(safe-area-inset-bottom))] outline-none sm:pb-0 low:pb-0"
      >
        {children}
      </main>
      <Bar owner={owner} places={places} frozen={frozen} />
    </div>
  );
}

const place =
  "relative flex flex-col items-center justify-center gap-0.5 text-[0.6875rem] leading-4 text-muted aria-[current=page]:font-semibold aria-[current=page]:text-ink";
const inRail = `${place} min-h-14 rounded-lg hover:bg-fill hover:text-ink aria-[current=page]:bg-fill low:min-h-11 low:gap-0`;
const inBar = `${place} h-14`;
const row =
  "flex min-h-11 items-center gap-3 rounded-lg px-3 text-start text-ink hover:bg-fill aria-[current=page]:bg-fill aria-[current=page]:font-semibold";
const sheet = "z-30 grid grid-cols-[minmax(0,1fr)] rounded-xl border border-line bg-raised p-2 shadow-float";
const badge =
  "absolute top-0.5 inset-s-[calc(50%+0.25rem)] min-w-4.5 rounded-full bg-ink px-1 text-center text-[0.6875rem] leading-4.5 font-semibold text-on-ink tabular-nums low:top-0 forced-colors:border";

type Destination = { href: string; label: string; Icon: typeof AppsIcon; count?: number; of?: string };
type FrameProps = Pick<ShellProps, "owner" | "frozen"> & { places: Destination[] };

/** The rail next to the page. */
const Rail = ({ owner, places, frozen }: FrameProps) => (
  <aside className="fixed inset-y-0 inset-s-0 z-20 hidden w-22 flex-col gap-1 border-e border-line bg-pane p-1.5 sm:flex low:absolute low:bottom-auto low:min-h-full low:gap-0">
    <Link href="/approvals" className="flex min-h-12 items-center justify-center rounded-lg low:min-h-9">
      <Mark className="size-7" />
      <span className="sr-only">Countersign</span>
    </Link>
    <OpenButton which="palette" keys="Control+K Meta+K" className={`${inRail} low:min-h-9!`}>
      <SearchIcon />
      <span className="sr-only">Search</span>
      <ModKey letter="K" />
    </OpenButton>
    <nav
      aria-label="Main"
      className="flex grow flex-col gap-1 overflow-y-auto low:grow-0 low:gap-0 low:overflow-visible"
    >
      {places.map((it) => (
        <NavLink key={it.href} href={it.href} className={inRail}>
          <Named {...it} />
        </NavLink>
      ))}
    </nav>
    <FreezeControl frozen={frozen} className={inRail} />
    <NavFold hrefs={["/developer"]} className="group">
      <summary className={`${inRail} group-data-here:bg-fill low:min-h-10`}>
        <span
          aria-hidden="true"
          className="flex size-8 items-center justify-center rounded-full bg-ink font-semibold text-on-ink"
        >
          {initialsOf(owner.name)}
        </span>
        <span className="sr-only">Your account</span>
      </summary>
      <div className={`${sheet} absolute bottom-2 inset-s-[calc(100%+0.5rem)] w-64`}>
        <Account owner={owner} />
      </div>
    </NavFold>
  </aside>
);

/** The bar below the page on phones. */
const Bar = ({ owner, places, frozen }: FrameProps) => {
  const rest = places.slice(3);
  return (
    <nav
      aria-label="Main"
      className="fixed inset-x-0 bottom-0 z-20 grid grid-cols-4 border-t border-line bg-pane pb-[env(safe-area-inset-bottom)] sm:hidden low:static"
    >
      {places.slice(0, 3).map((it) => (
        <NavLink key={it.href} href={it.href} className={inBar}>
          <Named {...it} />
        </NavLink>
      ))}
      <NavFold className="group" hrefs={[...rest.map(({ href }) => href), "/developer"]}>
        <summary className={`${inBar} group-data-here:font-semibold group-data-here:text-ink`}>
          <MoreIcon />
          More
        </summary>
        <div
          className={`${sheet} fixed inset-x-2 bottom-[calc(4rem+env(safe-area-inset-bottom))] max-h-[calc(100dvh-5rem)] overflow-y-auto`}
        >
          <OpenButton which="palette" keys="Control+K Meta+K" className={row}>
            <SearchIcon />
            Search
          </OpenButton>
          {rest.map(({ href, label, Icon }) => (
            <NavLink key={href} href={href} className={row}>
              <Icon />
              {label}
            </NavLink>
          ))}
          <FreezeControl frozen={frozen} className={row} />
          <div className="my-2 border-t border-line" />
          <Account owner={owner} />
        </div>
      </NavFold>
    </nav>
  );
};

/** A navigation item: an icon, a name and a count. */
const Named = ({ label, Icon, count = 0, of }: Destination) => (
  <>
    <Icon />
    {label}
    {of === "waiting" ? (
      <WaitingCount rendered={count} className={badge} />
    ) : count > 0 ? (
      <span className={badge}>
        {count > 99 ? "99+" : count}
        <span className="sr-only"> {of}</span>
      </span>
    ) : null}
  </>
);

/** The signed-in owner's menu. Signing out is a plain form that works without scripts. */
const Account = ({ owner }: Pick<ShellProps, "owner">) => (
  <>
    <p className="px-3 py-1.5">
      <span className="block truncate font-medium">{owner.name}</span>
      <span className="block truncate text-xs text-muted">{owner.email}</span>
    </p>
    <NavLink href="/developer" className={row}>
      <DeveloperIcon />
      Developer
    </NavLink>
    <OpenButton which="help" keys="?" className={row}>
      <KeyboardIcon />
      Keyboard shortcuts
    </OpenButton>
    <form action="/sign-out" method="post" className="grid">
      <button type="submit" className={row}>
        <SignOutIcon />
        Sign out
      </button>
    </form>
  </>
);
