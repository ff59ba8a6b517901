import { orNotFound } from "@/app/or-not-found";
import type { OwnerActor } from "@/lib/actor";
import { recordPassedDeadlines } from "@/lib/approvals/deadlines";
import { countInbox, latestRound, readApproval, recentEndings } from "@/lib/approvals/inbox-queries";
import { oldestOfOtherApps, readMany, searchApprovals } from "@/lib/approvals/search";
import { connectedAppNames } from "@/lib/grants/connected-and-former-apps";
import type { parseInboxParams } from "./parse-inbox-params";

type InboxParams = Pick<ReturnType<typeof parseInboxParams>, "open" | "filter" | "maxRows" | "list">;

/**
 * Reads the current page of the inbox, questions that are set aside, the open question, and
 * recently ended questions.
 */
export async function readInbox(
  owner: OwnerActor,
  { open, filter, maxRows: most, list: key }: InboxParams,
  timeZone: string,
) {
  const { list, appId } = filter;
  await recordPassedDeadlines(owner);
  const [page, lately, opened, counts, apps] = await Promise.all([
    searchApprovals(owner, filter, timeZone, most),
    recentEndings(owner),
    open ? orNotFound(readApproval(owner, open, { timeZone })) : undefined,
    countInbox(owner, appId ? { appId } : {}),
    connectedAppNames(owner),
  ]);
  // Reads the questions that are set aside only if the counts say that there are any, or may be.
  const beside = (part: "asked" | "muted") =>
    list === "waiting" && (counts.folds[part] || counts.isCapped)
      ? searchApprovals(owner, { ...filter, list: part, after: undefined }, timeZone, most)
      : undefined;
  const closes = key === "/approvals" && page.approvals.length === 0;
  const [asked, muted, others, missed, round] = await Promise.all([
    beside("asked"),
    beside("muted"),
    // Reads the oldest questions of other apps only at the start of the pending list in its default
    // order.
    key === "/approvals" ? oldestOfOtherApps(owner, page, timeZone) : [],
    readMany(
      owner,
      lately.filter((it) => it.missed).map(({ id }) => id),
      timeZone,
    ),
    closes ? latestRound(owner) : undefined,
  ]);
  const rows = [...page.approvals, ...others];
  const aside = [...(asked?.approvals ?? []), ...(muted?.approvals ?? [])];
  return {
    ...{ page, rows, aside, missed, lately, round, counts, apps },
    hasMore: [page, asked, muted].some((found) => found?.next),
    /** The open question, if the list doesn't include it. */
    extra: [...rows, ...aside].some(({ _id }) => _id === open) ? undefined : opened,
  };
}
export type FoundInbox = Awaited<ReturnType<typeof readInbox>>;
