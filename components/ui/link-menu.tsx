import { buttonClass } from "./button";
import { ChevronIcon } from "./icons";
import { Link } from "./link";

type MenuProps = {
  label: React.ReactNode;
  /**
   * `className` replaces the menu's classes. `summary` replaces the classes of the menu's button,
   * and hides the button's chevron.
   */
  className?: string;
  summary?: string;
  title?: string;
  children: React.ReactNode;
};

/** A menu of links under a button, with or without scripts. */
export const LinkMenu = ({
  label,
  className = "relative max-w-full shrink-0",
  summary,
  title,
  children,
}: MenuProps) => (
  <details className={`group/menu ${className}`}>
    <summary
      title={title}
      className={summary ?? `${buttonClass()} max-w-full px-3! whitespace-nowrap lg:min-h-9! lg:py-1.5!`}
    >
      {label}
      {summary ? null : <ChevronIcon className="size-4 rotate-90 group-open/menu:-rotate-90" />}
    </summary>
    <ul className="absolute top-full inset-e-0 z-20 mt-1 grid max-h-[60dvh] min-w-44 overflow-y-auto rounded-xl border border-line bg-raised p-1.5 shadow-float">
      {children}
    </ul>
  </details>
);

type MenuLinkProps = { href: string; here: boolean; children: React.ReactNode };

/** A menu link, marked on its own page. */
export const MenuLink = ({ href, here, children }: MenuLinkProps) => (
  <li>
    <Link href={href} {...(here ? { "aria-current": "true" as const } : {})} className={menuItem}>
      <bdi className="truncate">{children}</bdi>
    </Link>
  </li>
);

/** The classes of a menu item. */
export const menuItem =
  "flex min-h-11 max-w-64 items-center rounded-lg px-3 whitespace-nowrap hover:bg-fill aria-[current=true]:font-semibold aria-[current=true]:text-ink lg:min-h-9";
