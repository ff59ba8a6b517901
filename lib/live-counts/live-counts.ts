import type { OwnerActor } from "@/lib/actor";
import { waitingCount } from "@/lib/approvals/inbox-queries";
import { sql } from "@/lib/database/sql";
import { type DatabaseSnapshot, hasEventSince, snapshot } from "@/lib/events/database-snapshot";
import { brokenCount } from "@/lib/integrations/accounts";
import type { ActiveQuietHours } from "@/lib/notifications/active-quiet-hours";
import { unseenCount } from "@/lib/notifications/feed-counts";
import { isSessionValid } from "@/lib/owners/sessions";

/**
 * The live counts of an open page, each at most 100. `pending` counts approvals of connected apps,
 * `unseen` counts notifications since the owner last looked, and `broken` counts linked accounts
 * that only the owner can fix.
 */
export type LiveCounts = { pending: number; unseen: number; broken: number };

/**
 * A page's version: a snapshot from before the page's rows were read, and the counts that the page
 * shows.
 */
export type PageVersion = string;
export const pageVersion = (of: { snapshot: DatabaseSnapshot; pending: number; unseen: number }): PageVersion =>
  `${of.snapshot}.${of.pending}.${of.unseen}`;

type CountsRequest = OwnerActor & {
  session: string;
  quiet?: Pick<ActiveQuietHours, "since" | "urgentBreaks"> | undefined;
  /** The version to compare with. An invalid version counts as outdated. */
  since?: PageVersion;
};

/**
 * Reads the owner's counts and checks the session, in one statement, because every open page needs
 * this after every change. `changed` means that a count differs, or that an event was recorded that
 * a page of version `since` may not show. (Snoozing, muting and undoing record no event, but change
 * the counts.)
 */
export async function readLiveCounts({ ownerId, session, quiet, since = "" }: CountsRequest) {
  const [seen = "", pending, unseen] = since.split(".");
  type Row = LiveCounts & { snapshot: DatabaseSnapshot; signedIn: boolean; happened: boolean };
  const found = await sql<Row>`
    SELECT ${waitingCount(ownerId)} AS pending, ${unseenCount(ownerId, quiet)} AS unseen,
      ${brokenCount(ownerId)} AS broken, ${snapshot} AS snapshot,
      ${isSessionValid(ownerId, session)} AS "signedIn",
      ${hasEventSince(ownerId, seen)} AS happened`.row();
  const { snapshot: now, happened, ...news } = found!;
  const changed = happened || String(news.pending) !== pending || String(news.unseen) !== unseen;
  return { ...news, version: pageVersion({ snapshot: now, ...news }), changed };
}
