import Link from "next/link";
import { ButtonLink } from "@/components/ui/button";
import { Chip, Chips } from "@/components/ui/chips";

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
              prefetch={false}
              {...(answered === history ? { "aria-current": "true" as const } : {})}
              className="flex min-h-10 items-center justify-center rounded-md text-muted hover:text-text aria-[current=true]:bg-raised aria-[current=true]:font-semibold aria-[current=true]:text-text aria-[current=true]:shadow-card lg:min-h-8"
            >
              {answered ? "Answered" : "Waiting"}
            </Link>
          </li>
        ))}
      </ul>
      {apps.length > 1 ? (
        <Chips>
          <Chip href={listAddress(history)} here={app === undefined}>
            All apps
          </Chip>
          {apps.map(({ appId, name }) => (
            <Chip key={appId} href={listAddress(history, appId)} here={appId === app}>
              {name}
            </Chip>
          ))}
        </Chips>
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
        <ButtonLink href={listAddress(history, app)} size="small">
          Back to the first
        </ButtonLink>
      )}
      {next ? (
        <ButtonLink href={listAddress(history, app, next)} size="small">
          {history ? "Earlier answers" : "Next 50"}
        </ButtonLink>
      ) : null}
    </nav>
  );
}
