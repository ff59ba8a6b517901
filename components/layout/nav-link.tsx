"use client";
import { usePathname } from "next/navigation";
import { type Opened, openDialog } from "@/components/keys/open";
import { Link } from "@/components/ui/link";

type NavLinkProps = { href: string; className: string; children: React.ReactNode };

/** A link of the navigation, marked while its page or one below it is open. */
export function NavLink({ href, className, children }: NavLinkProps) {
  const path = usePathname();
  const here = path === href || path.startsWith(`${href}/`);
  return (
    // Every piece of news makes Next forget and fetch again what it had fetched ahead; the pages are quick without.
    <Link href={href} className={className} {...(here ? { "aria-current": "page" as const } : {})}>
      {children}
    </Link>
  );
}

type MoreFoldProps = { hrefs: readonly string[]; className: string; children: React.ReactNode };

/** The fold that holds what has no room in the phone's bar; it closes when a page has been opened from it. */
export function MoreFold({ hrefs, className, children }: MoreFoldProps) {
  const path = usePathname();
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: a link is clicked by its key too
    <details
      // Not with every question: the whole fold would be made anew.
      key={path.split("/")[1]}
      className={className}
      data-here={hrefs.some((href) => path.startsWith(href)) || undefined}
      onClick={({ target, currentTarget }) => {
        if (target instanceof Element && target.closest("a")) currentTarget.open = false;
      }}
    >
      {children}
    </details>
  );
}

type OpenButtonProps = { which: Opened; className: string; keys: string; children: React.ReactNode };

/** Opens the palette or the help. Without scripts there is neither, nor this. */
export function OpenButton({ which, className, keys, children }: OpenButtonProps) {
  return (
    <button
      type="button"
      aria-keyshortcuts={keys}
      aria-haspopup="dialog"
      onClick={({ currentTarget }) => {
        // What is in the fold goes with it; the dialog gives the focus back to what stays.
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
