"use client";
import { useRouter } from "next/navigation";

/** A link that skips the repeated parts of every page. Visible while focused. */
export const SkipLink = ({ className = "", ...rest }: React.ComponentProps<"a"> & { href: string }) => (
  <a
    {...rest}
    className={`fixed top-2 inset-s-2 z-30 -translate-y-24 rounded-lg bg-ink px-4 py-3 font-medium text-on-ink focus:translate-y-0 ${className}`}
  />
);

/**
 * A client-side link to another page. The link component of Next.js adds three kilobytes to every
 * page for prefetching, which no page here needs.
 */
export function Link({ href, onClick, ...rest }: React.ComponentProps<"a"> & { href: string }) {
  const router = useRouter();
  return (
    <a
      {...rest}
      href={href}
      onClick={(event) => {
        onClick?.(event);
        // A modifier key opens another tab or window, or saves the link.
        if (event.defaultPrevented || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
        event.preventDefault();
        router.push(href);
      }}
    />
  );
}
