import type { OwnerActor } from "@/lib/actor";
import { waitingCount } from "@/lib/approvals/inbox";
import { latestEvent } from "@/lib/events/log";
import { brokenCount } from "@/lib/integrations/accounts";
import { unseenCount } from "@/lib/notifications/counts";
import type { Quiet } from "@/lib/notifications/quiet";
import { sessionHolds } from "@/lib/owners/sessions";
import { sql } from "@/lib/sql";

/**
 * What an open page needs to know to be current. Counts stop at 100: `pending` of approvals that wait and whose app is let in,
 * `unseen` of notifications that came since the owner last looked at them, `broken` of linked accounts that only the owner can
 * mend. `event` differs from any before when there is something to look at.
 */
export type OwnerNews = { pending: number; unseen: number; broken: number; event: string };
type Asking = OwnerActor & { session: string; quiet?: Pick<Quiet, "since" | "urgentBreaks"> | undefined };

/** The owner's counts, and whether their session still holds: in one look, since every open page asks at every change. */
export async function readNews({ ownerId, session, quiet }: Asking): Promise<OwnerNews & { signedIn: boolean }> {
  const found = await sql<OwnerNews & { signedIn: boolean }>`SELECT ${waitingCount(ownerId)} AS pending,
    ${unseenCount(ownerId, quiet)} AS unseen, ${brokenCount(ownerId)} AS broken,
    ${latestEvent(ownerId)}::text AS event, ${sessionHolds(ownerId, session)} AS "signedIn"`.row();
  const { event, ...news } = found ?? { pending: 0, unseen: 0, broken: 0, event: "0", signedIn: false };
  // What an owner puts off, mutes or takes back leaves no event, and shows in the counts.
  return { ...news, event: `${event}.${news.pending}.${news.unseen}` };
}
