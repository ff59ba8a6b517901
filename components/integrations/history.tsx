import Link from "next/link";
import { TimeAgo } from "@/components/ui/time/time-ago";

/** Something that happened to an account, as the activity page tells it. `at` in epoch milliseconds. */
export type Happened = { id: string; at: number; sentence: string };

/** What happened to an account, newest first. */
export const History = ({ id, items }: { id: string; items: readonly Happened[] }) => (
  <>
    {items.length === 0 ? <p className="text-muted">Nothing recorded yet.</p> : null}
    <ol className="divide-y divide-line">
      {items.map(({ id: event, at, sentence }) => (
        <li key={event} className="flex flex-wrap items-baseline justify-between gap-x-4 py-2">
          <span className="min-w-0">{sentence}</span>
          <TimeAgo at={at} className="text-xs text-muted" />
        </li>
      ))}
    </ol>
    <p className="mt-1">
      <Link href={`/activity?subject=${id}`} prefetch={false} className="link inline-flex min-h-11 items-center">
        All of it in Activity
      </Link>
    </p>
  </>
);
