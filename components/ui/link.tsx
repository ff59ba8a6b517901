"use client";
import { useRouter } from "next/navigation";

/** Past what is the same on every page. In sight while it has the focus. */
export const SkipLink = ({ className = "", ...rest }: React.ComponentProps<"a"> & { href: string }) => (
  <a
    {...rest}
    className={`fixed top-2 inset-s-2 z-30 -translate-y-24 rounded-lg bg-accent px-4 py-3 font-medium text-accent-text focus:translate-y-0 ${className}`}
  />
);

/**
 * A link to another page of ours, which opens it in place of this one. Next's own also fetches pages ahead, which no page
 * here needs, and every page would carry three kilobytes for that.
 */
export function Link({ href, onClick, ...rest }: React.ComponentProps<"a"> & { href: string }) {
  const router = useRouter();
  return (
    <a
      {...rest}
      href={href}
      onClick={(event) => {
        onClick?.(event);
        // With a modifier it is for another tab or window, or to be saved.
        if (event.defaultPrevented || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
        event.preventDefault();
        router.push(href);
      }}
    />
  );
}
