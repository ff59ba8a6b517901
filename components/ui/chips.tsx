import { buttonClass } from "./button";
import { ChevronIcon } from "./icons";
import { Link } from "./link";

/** A row of filters that scrolls horizontally on small screens. */
export function Chips({ children }: { children: React.ReactNode }) {
  return <ul className="bleed flex gap-1.5 overflow-x-auto py-1">{children}</ul>;
}

type ChipProps = { href: string; here: boolean; children: React.ReactNode };

/** One filter: a link, marked while active. */
export function Chip({ href, here, children }: ChipProps) {
  return (
    <li>
      <Link
        href={href}
        {...(here ? { "aria-current": "true" as const } : {})}
        className="flex min-h-9 max-w-48 items-center rounded-full border border-line px-3 text-xs whitespace-nowrap text-muted hover:text-ink aria-[current=true]:border-ink aria-[current=true]:bg-fill aria-[current=true]:font-semibold aria-[current=true]:text-ink pointer-coarse:min-h-11"
      >
        <bdi className="truncate">{children}</bdi>
      </Link>
    </li>
  );
}

type MenuProps = {
  label: React.ReactNode;
  /** The classes of the menu and its button, for a button without a label. */
  className?: string;
  summary?: string;
  children: React.ReactNode;
};

/** A menu of links under a button, with or without scripts. */
export const Menu = ({ label, className = "relative max-w-full shrink-0", summary, children }: MenuProps) => (
  <details className={`group/menu ${className}`}>
    <summary className={summary ?? `${buttonClass()} max-w-full px-3! whitespace-nowrap lg:min-h-9! lg:py-1.5!`}>
      {label}
      {summary ? null : <ChevronIcon className="size-4 rotate-90 group-open/menu:-rotate-90" />}
    </summary>
    <ul className="absolute top-full inset-e-0 z-20 mt-1 grid max-h-[60dvh] min-w-44 overflow-y-auto rounded-xl border border-line bg-raised p-1.5 shadow-float">
      {children}
    </ul>
  </details>
);

/** A menu link, marked on its own page. */
export const MenuLink = ({ href, here, children }: ChipProps) => (
  <li>
    <Link href={href} {...(here ? { "aria-current": "true" as const } : {})} className={menuItem}>
      <bdi className="truncate">{children}</bdi>
    </Link>
  </li>
);

/** The classes of a menu item. */
export const menuItem =
  "flex min-h-11 max-w-64 items-center rounded-lg px-3 whitespace-nowrap hover:bg-fill aria-[current=true]:font-semibold aria-[current=true]:text-ink lg:min-h-9";

type AppMenuProps = {
  apps: { appId: string; name: string }[];
  appId: string | undefined;
  /** The URL for one app, or for all. */
  to: (appId?: string) => string;
};

/** The app filter, shown if there are several apps. */
export function AppMenu({ apps, appId, to }: AppMenuProps) {
  if (apps.length < 2 && appId === undefined) return null;
  return (
    <nav aria-label="Apps" className="max-w-2/5 min-w-0 shrink-0">
      <Menu label={<bdi className="truncate">{apps.find((it) => it.appId === appId)?.name ?? "All apps"}</bdi>}>
        <MenuLink href={to()} here={appId === undefined}>
          All apps
        </MenuLink>
        {apps.map((app) => (
          <MenuLink key={app.appId} href={to(app.appId)} here={app.appId === appId}>
            {app.name}
          </MenuLink>
        ))}
      </Menu>
    </nav>
  );
}
