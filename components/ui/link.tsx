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
 * A link to another page that keeps this document. The link component of Next.js would add three
 * kilobytes to every page, for prefetching that no page uses.
 */
export function Link({ href, onClick, ...rest }: React.ComponentProps<"a"> & { href: string }) {
  const router = useRouter();
  return (
    <a
      {...rest}
      href={href}
      onClick={(event) => {
        onClick?.(event);
        // With a modifier key, browsers open another tab or window, or save the link's target.
        if (event.defaultPrevented || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
        event.preventDefault();
        router.push(href);
      }}
    />
  );
}
