import Link from "next/link";
import { TimeAgo } from "@/components/ui/time/time-ago";
import type { EndedApp } from "@/lib/grants/schema";

const ways: Record<EndedApp["how"], string> = {
  revoked: "you took its access back",
  expired: "its access expired",
  deleted: "the app was deleted",
};

/** Apps that were let in once, folded: when that ended, how, and what they did. */
export function EndedApps({ apps }: { apps: readonly EndedApp[] }) {
  if (apps.length === 0) return null;
  return (
    <details className="mt-6 border-t border-line pt-2">
      <summary className="link inline-flex min-h-11 items-center">Apps you no longer let in ({apps.length})</summary>
      <ul className="divide-y divide-line">
        {apps.map(({ clientId, name, endedAt, how }) => (
          <li key={clientId} className="flex flex-wrap items-center justify-between gap-x-4 py-1.5">
            <p>
              <bdi className="font-medium">{name}</bdi>{" "}
              <span className="text-muted">
                · {ways[how]} <TimeAgo at={endedAt} />
              </span>
            </p>
            <Link
              href={`/activity?app=${clientId}`}
              prefetch={false}
              className="link inline-flex min-h-11 items-center sm:min-h-8"
            >
              What it did <span className="sr-only">({name})</span>
            </Link>
          </li>
        ))}
      </ul>
    </details>
  );
}
