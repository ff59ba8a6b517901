import { Link } from "./link";

/** Filters in a row, or in several rows on small screens. */
export function Chips({ children }: { children: React.ReactNode }) {
  return <ul className="flex flex-wrap gap-1.5 py-1">{children}</ul>;
}

type ChipProps = { href: string; here: boolean; children: React.ReactNode };

/** A filter as a link, marked while it is active. */
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
