import type { OwnerActor } from "@/lib/actor";
import { waitingCount } from "@/lib/approvals/inbox";
import { sql } from "@/lib/database/sql";
import { type DatabaseSnapshot, hasEventSince, snapshot } from "@/lib/events/snapshot";
import { brokenCount } from "@/lib/integrations/accounts";
import type { ActiveQuietHours } from "@/lib/notifications/active-quiet-hours";
import { unseenCount } from "@/lib/notifications/counts";
import { isSessionValid } from "@/lib/owners/sessions";

/**
 * What an open page needs to know to be current. Counts stop at 100: `pending` of approvals that wait and whose app is let in,
 * `unseen` of notifications that came since the owner last looked at them, `broken` of linked accounts that only the owner can
 * mend.
 */
export type LiveCounts = { pending: number; unseen: number; broken: number };

/** What a page was read with: a snapshot from before its rows were read, and the counts that it shows. */
export type PageVersion = string;
export const pageVersion = (of: { snapshot: DatabaseSnapshot; pending: number; unseen: number }): PageVersion =>
  `${of.snapshot}.${of.pending}.${of.unseen}`;

type Asking = OwnerActor & {
  session: string;
  quiet?: Pick<ActiveQuietHours, "since" | "urgentBreaks"> | undefined;
  /** What is compared with; anything else than a version counts as one from which everything differs. */
  since?: PageVersion;
};

/**
 * The owner's counts, and whether their session still holds, in one statement, since every open page asks at every change.
 * `changed`: an event was recorded that a page of the version `since` may not show, or a count differs. (What an owner snoozes,
 * mutes or takes back records no event, and shows in the counts.)
 */
export async function readLiveCounts({ ownerId, session, quiet, since = "" }: Asking) {
  const [seen = "", pending, unseen] = since.split(".");
  const found = await sql<LiveCounts & { snapshot: DatabaseSnapshot; signedIn: boolean; happened: boolean }>`
    SELECT ${waitingCount(ownerId)} AS pending, ${unseenCount(ownerId, quiet)} AS unseen, ${brokenCount(ownerId)} AS broken,
      ${snapshot} AS snapshot, ${isSessionValid(ownerId, session)} AS "signedIn", ${hasEventSince(ownerId, seen)} AS happened`.row();
  const { snapshot: now, happened, ...news } = found!;
  const changed = happened || String(news.pending) !== pending || String(news.unseen) !== unseen;
  return { ...news, version: pageVersion({ snapshot: now, ...news }), changed };
}
