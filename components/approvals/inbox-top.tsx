import Link from "next/link";
import { buttonClass } from "@/components/ui/button";

type TopProps = { history: boolean; app: string | undefined; apps: { appId: string; name: string }[] };

/** The list's address with other settings. */
export const listAddress = (history: boolean, app?: string, from?: string) => {
  const query = new URLSearchParams({
    ...(history && { status: "resolved" }),
    ...(app && { app }),
    ...(from && { [history ? "before" : "after"]: from }),
  });
  return `/approvals${query.size > 0 ? `?${query}` : ""}`;
};

/** Waiting or answered, of all apps or of one. Links, so that every view has an address. */
export function InboxTop({ history, app, apps }: TopProps) {
  return (
    <nav aria-label="Views" className="mt-2 grid gap-2">
      <ul className="grid grid-cols-2 rounded-lg border border-line bg-bg p-0.5 text-center">
        {[false, true].map((answered) => (
          <li key={String(answered)}>
            <Link
              href={listAddress(answered, app)}
              {...(answered === history ? { "aria-current": "true" as const } : {})}
              className="flex min-h-10 items-center justify-center rounded-md text-muted hover:text-text aria-[current=true]:bg-raised aria-[current=true]:font-semibold aria-[current=true]:text-text aria-[current=true]:shadow-card lg:min-h-8"
            >
              {answered ? "Answered" : "Waiting"}
            </Link>
          </li>
        ))}
      </ul>
      {apps.length > 1 ? (
        <ul className="-mx-4 flex gap-1.5 overflow-x-auto px-4 py-0.5">
          {[{ appId: undefined, name: "All apps" }, ...apps].map(({ appId, name }) => (
            <li key={appId ?? ""}>
              <Link
                href={listAddress(history, appId)}
                {...(appId === app ? { "aria-current": "true" as const } : {})}
                className="flex min-h-9 max-w-48 items-center rounded-full border border-line px-3 text-xs whitespace-nowrap text-muted hover:text-text aria-[current=true]:border-accent aria-[current=true]:bg-accent-soft aria-[current=true]:font-semibold aria-[current=true]:text-accent lg:min-h-7"
              >
                <bdi className="truncate">{name}</bdi>
              </Link>
            </li>
          ))}
        </ul>
      ) : null}
    </nav>
  );
}

type MoreProps = { history: boolean; app: string | undefined; next: string | undefined; first: boolean };

/** The way to the next fifty, and back to the first. */
export function More({ history, app, next, first }: MoreProps) {
  if (!next && first) return null;
  return (
    <nav aria-label="Pages" className="flex flex-wrap justify-between gap-2 px-4 py-3">
      {first ? (
        <span />
      ) : (
        <Link href={listAddress(history, app)} className={buttonClass({ size: "small" })}>
          Back to the first
        </Link>
      )}
      {next ? (
        <Link href={listAddress(history, app, next)} className={buttonClass({ size: "small" })}>
          {history ? "Earlier answers" : "Next 50"}
        </Link>
      ) : null}
    </nav>
  );
}
