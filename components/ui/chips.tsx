import { Link } from "./link";

/** A line of filters that scrolls sideways where there is no room. */
export function Chips({ children }: { children: React.ReactNode }) {
  return <ul className="-mx-4 flex gap-1.5 overflow-x-auto px-4 py-1">{children}</ul>;
}

type ChipProps = { href: string; here: boolean; children: React.ReactNode };

/** One filter: a link, marked while it holds. */
export function Chip({ href, here, children }: ChipProps) {
  return (
    <li>
      <Link
        href={href}
        {...(here ? { "aria-current": "true" as const } : {})}
        className="flex min-h-9 max-w-48 items-center rounded-full border border-line px-3 text-xs whitespace-nowrap text-muted hover:text-text aria-[current=true]:border-accent aria-[current=true]:bg-accent-soft aria-[current=true]:font-semibold aria-[current=true]:text-accent lg:min-h-7"
      >
        <bdi className="truncate">{children}</bdi>
      </Link>
    </li>
  );
}
