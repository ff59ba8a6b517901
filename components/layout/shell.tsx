"use client";
import { WaitingCount } from "@/components/live/pending-count";
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
import { MoreFold, NavLink, OpenButton } from "./nav-link";

type ShellProps = {
  owner: { name: string; email: string };
  /** The number of pending approvals. */
  pending: number;
  /** The number of notifications since the owner last looked. */
  unseen: number;
  /** The number of linked accounts that only the owner can fix. */
  broken: number;
  children: React.ReactNode;
};

/** The owner's frame: a rail next to the page, or a bar below it on phones. */
export function Shell({ owner, pending, unseen, broken, children }: ShellProps) {
  const main = [
    { href: "/approvals", label: "Approvals", Icon: ApprovalsIcon, count: pending, of: "waiting" },
    { href: "/notifications", label: "Notifications", Icon: NotificationsIcon, count: unseen, of: "new" },
    { href: "/integrations", label: "Integrations", Icon: IntegrationsIcon, count: broken, of: "to reconnect" },
  ];
  const more = [
    { href: "/apps", label: "Connected apps", Icon: AppsIcon, count: 0, of: "" },
    { href: "/activity", label: "Activity", Icon: ActivityIcon, count: 0, of: "" },
    { href: "/developer", label: "Developer", Icon: DeveloperIcon, count: 0, of: "" },
    { href: "/settings", label: "Settings", Icon: SettingsIcon, count: 0, of: "" },
  ];
  return (
    <div className="relative sm:ps-24 xl:ps-52">
      <SkipLink href="#main">Skip to content</SkipLink>
      <Rail {...{ owner, main, more }} />
      <main
        id="main"
        tabIndex={-1}
        className="min-h-dvh pb-[calc(4.5rem+env(safe-area-inset-bottom))] outline-none sm:pb-0 low:pb-0"
      >
        {children}
      </main>
      <Bar {...{ owner, main, more }} />
    </div>
  );
}

const marked = "aria-[current=page]:bg-fill aria-[current=page]:text-ink aria-[current=page]:font-semibold";
const row = `flex min-h-12 items-center gap-3 rounded-lg px-3 text-ink hover:bg-fill ${marked}`;
const tab =
  "relative flex h-14 flex-col items-center justify-center gap-0.5 text-xs text-muted aria-[current=page]:font-semibold aria-[current=page]:text-ink";
const railItem = `relative flex min-h-14 flex-col items-center justify-center gap-0.5 rounded-lg px-1 text-center text-[0.6875rem] leading-tight text-muted hover:bg-fill hover:text-ink xl:min-h-10 xl:flex-row xl:justify-start xl:gap-3 xl:px-3 xl:text-sm xl:text-ink ${marked}`;

const counted =
  "absolute top-1 inset-s-[calc(50%+0.25rem)] min-w-5 rounded-full bg-ink px-1.5 text-center text-xs font-semibold text-on-ink tabular-nums xl:static xl:ms-auto";

type Item = { href: string; label: string; Icon: typeof AppsIcon; count: number; of: string };

type FrameProps = Pick<ShellProps, "owner"> & { main: Item[]; more: Item[] };

/** Next to the page. */
const Rail = ({ owner, main, more }: FrameProps) => (
  <aside className="fixed inset-y-0 inset-s-0 z-20 hidden w-24 flex-col border-e border-line bg-pane sm:flex xl:w-52 low:absolute low:bottom-auto low:min-h-full">
    <Link
      href="/approvals"
      className="m-2 flex min-h-12 items-center justify-center gap-2.5 rounded-lg xl:justify-start xl:px-2"
    >
      <Mark />
      <span className="sr-only text-base font-semibold tracking-tight xl:not-sr-only">Countersign</span>
    </Link>
    <div className="px-2">
      <OpenButton which="palette" keys="Control+K Meta+K" className={`${railItem} w-full xl:border xl:border-line`}>
        <SearchIcon />
        Search
      </OpenButton>
    </div>
    <nav aria-label="Main" className="flex grow flex-col gap-1 overflow-y-auto p-2 low:overflow-visible">
      {main.map((item) => (
        <RailItem key={item.href} {...item} />
      ))}
      <div className="my-2 border-t border-line" />
      {more.map((item) => (
        <RailItem key={item.href} {...item} />
      ))}
    </nav>
    <div className="px-2 pb-2">
      <OpenButton which="help" keys="?" className={`${railItem} w-full`}>
        <KeyboardIcon />
        Keys
      </OpenButton>
    </div>
    <Account owner={owner} />
  </aside>
);

/** Below the page, on phones. */
const Bar = ({ owner, main, more }: FrameProps) => (
  <nav
    aria-label="Main"
    className="fixed inset-x-0 bottom-0 z-20 grid grid-cols-4 border-t border-line bg-pane pb-[env(safe-area-inset-bottom)] sm:hidden low:static"
  >
    {main.map((item) => (
      <NavLink key={item.href} href={item.href} className={tab}>
        <Labelled {...item} />
      </NavLink>
    ))}
    <MoreFold className="group" hrefs={more.map(({ href }) => href)}>
      <summary className={`${tab} group-data-here:font-semibold group-data-here:text-ink`}>
        <MoreIcon />
        More
      </summary>
      <div className="fixed inset-x-2 bottom-[calc(4rem+env(safe-area-inset-bottom))] grid max-h-[calc(100dvh-5rem)] grid-cols-[minmax(0,1fr)] gap-1 overflow-y-auto rounded-xl border border-line bg-raised p-2 shadow-float">
        <OpenButton which="palette" keys="Control+K Meta+K" className={row}>
          <SearchIcon />
          Search
        </OpenButton>
        {more.map(({ href, label, Icon }) => (
          <NavLink key={href} href={href} className={row}>
            <Icon />
            {label}
          </NavLink>
        ))}
        <OpenButton which="help" keys="?" className={row}>
          <KeyboardIcon />
          Keys
        </OpenButton>
        <Account owner={owner} />
      </div>
    </MoreFold>
  </nav>
);

function RailItem(item: Item) {
  return (
    <NavLink href={item.href} className={railItem}>
      <Labelled {...item} />
    </NavLink>
  );
}

function Labelled({ label, Icon, count, of }: Item) {
  return (
    <>
      <Icon />
      {label}
      {of === "waiting" ? (
        <WaitingCount rendered={count} className={counted} />
      ) : count > 0 ? (
        <span className={counted}>
          {count > 99 ? "99+" : count}
          <span className="sr-only"> {of}</span>
        </span>
      ) : null}
    </>
  );
}

/** The signed-in owner and the sign-out button, a plain form so that it works without scripts. */
function Account({ owner }: { owner: { name: string; email: string } }) {
  return (
    <form
      action="/sign-out"
      method="post"
      className="flex items-center gap-2 border-t border-line p-2 sm:justify-center xl:justify-between"
    >
      <p className="min-w-0 grow px-2 sm:sr-only xl:not-sr-only xl:px-2">
        <span className="block truncate font-medium">{owner.name}</span>
        <span className="block truncate text-xs text-muted">{owner.email}</span>
      </p>
      <button
        type="submit"
        title="Sign out"
        aria-label="Sign out"
        className="inline-flex size-11 shrink-0 items-center justify-center rounded-lg text-muted hover:bg-fill hover:text-ink"
      >
        <SignOutIcon />
      </button>
    </form>
  );
}
