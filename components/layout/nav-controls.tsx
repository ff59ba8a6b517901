"use client";
import { usePathname } from "next/navigation";
import { type Opened, openDialog } from "@/components/keyboard/open-global-dialog";
import { Link } from "@/components/ui/link";

type NavLinkProps = { href: string; className: string; children: React.ReactNode };

/** A navigation link, marked as current on its page and pages below it. */
export function NavLink({ href, className, children }: NavLinkProps) {
  const path = usePathname();
  const here = path === href || path.startsWith(`${href}/`);
  return (
    <Link href={href} className={className} {...(here ? { "aria-current": "page" as const } : {})}>
      {children}
    </Link>
  );
}

type NavFoldProps = { hrefs: readonly string[]; className: string; children: React.ReactNode };

/**
 * A menu in the navigation. The menu closes when a page opens, on Escape, and when the focus leaves
 * the menu.
 */
export function NavFold({ hrefs, className, children }: NavFoldProps) {
  const path = usePathname();
  return (
    <details
      // With a new key for each section of the site, the menu closes when another section opens.
      key={path.split("/")[1]}
      className={className}
      data-here={hrefs.some((href) => path.startsWith(href)) || undefined}
      onClick={({ target, currentTarget }) => {
        if (target instanceof Element && target.closest("a")) currentTarget.open = false;
      }}
      onBlur={({ relatedTarget, currentTarget }) => {
        if (relatedTarget instanceof Node && !currentTarget.contains(relatedTarget)) currentTarget.open = false;
      }}
      onKeyDown={(event) => {
        if (event.key !== "Escape" || !event.currentTarget.open) return;
        event.preventDefault();
        event.currentTarget.open = false;
        event.currentTarget.querySelector("summary")?.focus();
      }}
    >
      {children}
    </details>
  );
}

type OpenButtonProps = { which: Opened; className: string; keys: string; children: React.ReactNode };

/** Opens the palette or the help. Hidden without scripts. */
export function OpenButton({ which, className, keys, children }: OpenButtonProps) {
  return (
    <button
      type="button"
      aria-keyshortcuts={keys}
      aria-haspopup="dialog"
      onClick={({ currentTarget }) => {
        // Closes the menu first. The dialog must return the focus to an element that stays visible.
        const fold = currentTarget.closest("details");
        fold?.removeAttribute("open");
        fold?.querySelector("summary")?.focus();
        openDialog(which);
      }}
      className={`${className} noscript:hidden`}
    >
      {children}
    </button>
  );
}
