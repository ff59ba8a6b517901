import type { OwnerActor } from "@/lib/actor";
import { answerApproval } from "@/lib/approvals/answer";
import { allowsOneTap } from "@/lib/approvals/content/allows-one-tap";
import { undoAnswers } from "@/lib/approvals/held-answers";
import { readApproval } from "@/lib/approvals/inbox-queries";
import type { OwnerApproval } from "@/lib/approvals/owner-view";
import { env } from "@/lib/config/env";
import { epochMs, literal, sql } from "@/lib/database/sql";
import { AppError } from "@/lib/errors";
import { type Change, change } from "@/lib/events/change-transaction";
import { record } from "@/lib/events/record-events";
import { hashSecret, isSecret, newSecret } from "@/lib/keys/secret-tokens";
import { ipNetwork, ipPrefix } from "@/lib/net/ip-prefix";
import { accountOf } from "@/lib/owners/owner-sql-for-other-domains";
import { consumeAll, refund } from "@/lib/owners/rate-limiter";
import { readSettings } from "@/lib/owners/settings";
import { describeDevice } from "@/lib/owners/user-agent";

/*
 * Owners can allow emails to include links for answering one question without a sign-in. For 15
 * minutes, such a link opens the question's page, where the owner can answer once and undo that
 * answer. The link stops working early if the owner changes their email or password, signs out
 * everywhere, or no longer allows such answers. Opening a link consumes nothing, because mail
 * scanners open links too.
 */

/** A link's lifetime in minutes. */
const linkMinutes = 15;

/** Returns the path of an answer link, whose secret is `token`. */
export const answerLinkPath = (id: string, token: string): string =>
  `/alerts/answer/${id}?${new URLSearchParams({ token })}`;

/**
 * Returns the sign-in path that leads to the question, for links that no longer work.
 * @param unsent selects the sign-in page's message: the chosen answer was not sent, or the link
 *   doesn't work
 */
export const answerSignInPath = (id: string, unsent: "choice" | "link"): string =>
  `/sign-in?next=${encodeURIComponent(`/approvals/${id}`)}&unsent=${unsent}`;

/**
 * Creates an answer link for each of the given questions of the owner.
 * @returns each question's link with its expiry time (epoch milliseconds), by question ID
 */
export async function makeAnswerLinks(ownerId: string, ids: string[]) {
  const tokens = ids.map(() => newSecret("al", { ownerId }));
  const made = await sql<{ until: number }>`
    INSERT INTO answer_link (hash, owner_id, approval_id, email, session_version, expires_at)
    SELECT l.hash, ${ownerId}, l.id, o.email, o.session_version,
      now() + make_interval(mins => ${literal(linkMinutes)})
    FROM unnest(${tokens.map(hashSecret)}::bytea[], ${ids}::text[]) AS l (hash, id),
      ${accountOf(sql`${ownerId}`)} AS o
    RETURNING ${epochMs("expires_at")} AS until`.rows();
  const opensUntil = made[0]?.until ?? 0;
  const { publicUrl } = env();
  return new Map(
    ids.map((id, index) => [id, { link: `${publicUrl}${answerLinkPath(id, tokens[index] ?? "")}`, opensUntil }]),
  );
}

/** An opened link. Times are in epoch milliseconds. */
export type OpenedLink = {
  owner: OwnerActor;
  approval: OwnerApproval;
  timeZone: string | undefined;
  until: number;
  /** Whether the link was used to answer. */
  used: boolean;
  /** When the undo period of the link's answer ends. Absent unless that answer is held. */
  heldUntil?: number | undefined;
};

type LinkRow = { owner_id: string; until: number; used: boolean; held_until: number | null };

/**
 * Returns the question that a link is for, if the link works.
 * @param address the request's IP address; requests from its network are rate-limited
 * @returns undefined if the link is unknown, expired, revoked or for another question, or if the
 *   owner no longer allows such links. The owner then has to sign in.
 * @throws {AppError} 429 after too many invalid links from the network
 */
export async function openAnswerLink(id: string, token: string, address: string): Promise<OpenedLink | undefined> {
  if (!isSecret(token, ["al"])) return undefined;
  // Requests for sign-in links have the same limit, but are counted separately. A working link
  // refunds its request.
  const paced = { kind: "answer-link", what: ipPrefix(address), pace: { burst: 20, seconds: 45 } };
  await consumeAll([paced]);
  const found = await sql<LinkRow>`
    SELECT l.owner_id, ${epochMs("l.expires_at")} AS until, l.used_at IS NOT NULL AS used,
      CASE WHEN l.held_until > now() THEN ${epochMs("l.held_until")} END AS held_until
    FROM answer_link l
      JOIN LATERAL ${accountOf(sql`l.owner_id`)} AS o
        ON o.email = l.email AND o.session_version = l.session_version
    WHERE l.hash = ${hashSecret(token)}
      AND l.approval_id = ${id}
      AND (l.expires_at > now() OR l.held_until > now())`.row();
  if (!found) return undefined;
  await refund(paced);
  const owner = { kind: "owner" as const, ownerId: found.owner_id };
  const settings = await readSettings(owner);
  const { timeZone, zoneKnown } = settings;
  const approval = await readApproval(owner, id, { timeZone });
  const { ownerOnly, fields, sign, app } = approval;
  const careful = !allowsOneTap(approval) || ownerOnly || sign || settings.alwaysConfirm || app.alwaysConfirm;
  if (careful || fields || !settings.emailAnswers) return undefined;
  const { used, until, held_until } = found;
  // The held answer may be a different one, which the owner gave elsewhere.
  const isHeld = held_until !== null && approval.triage.held?.commitAt === held_until;
  return {
    owner,
    approval,
    timeZone: zoneKnown ? timeZone : undefined,
    until,
    used,
    ...(isHeld && { heldUntil: held_until }),
  };
}

/** The IP address and User-Agent header of the browser that uses the link. */
type Holder = { address: string; userAgent: string };

/**
 * The result of using a link. `gone`: the link doesn't work. `late`: another answer came first.
 * `revoked`: the app is no longer connected. `changed`: the question changed, or its deadline
 * passed. `undone`: the answer was undone. `sent`: the answer can no longer be undone. `answered`
 * adds no message to the question's page.
 */
export type ByLink = "gone" | "answered" | "late" | "revoked" | "changed" | "undone" | "sent";

/**
 * Answers the link's question once; a second attempt changes nothing. Disconnected apps get no
 * answer.
 * @param seen the hash of the question as its page showed it
 * @throws {AppError} 400 for an option that was not offered; 429 as in `openAnswerLink`
 */
export async function answerByLink(
  { id, token, optionId, seen }: { id: string; token: string; optionId: string; seen: string },
  holder: Holder,
): Promise<ByLink> {
  const opened = await openAnswerLink(id, token, holder.address);
  if (!opened) return "gone";
  const { owner, approval } = opened;
  // The owner may have answered elsewhere while the page was open.
  if (!opened.used && (approval.triage.held || approval.resolution)) return "late";
  if (!opened.used && approval.app.revoked) return "revoked";
  const taken = await sql`
    UPDATE answer_link
    SET used_at = now()
    WHERE hash = ${hashSecret(token)} AND used_at IS NULL AND expires_at > now()`.run();
  if (taken === 0) return "answered";
  try {
    const { held, won, ...rest } = await answerApproval(owner, id, { kind: "option", optionId }, seen);
    if ("unconfirmed" in rest) {
      await release(token);
      return "gone";
    }
    // Another answer came first, and is recorded or held.
    if (won === false || (held && held.answer.optionId !== optionId)) {
      await release(token);
      return "late";
    }
    await change(owner, async (tx) => {
      await sql`
        UPDATE answer_link
        SET held_until = to_timestamp(${held?.commitAt ?? null}::float8 / 1000)
        WHERE hash = ${hashSecret(token)}`.run(tx);
      await recordUse(tx, opened, holder);
    });
    return "answered";
  } catch (error) {
    await release(token);
    // The question changed, or its deadline passed. The page then shows the current question.
    if (error instanceof AppError && error.status === 409) return "changed";
    throw error;
  }
}

/** Undoes the link's answer while it is held. The link can then answer again until it expires. */
export async function undoByLink({ id, token }: { id: string; token: string }, holder: Holder): Promise<ByLink> {
  const opened = await openAnswerLink(id, token, holder.address);
  if (!opened) return "gone";
  const { owner, approval, heldUntil } = opened;
  if (heldUntil === undefined) return approval.resolution ? "sent" : "answered";
  const { undone } = await undoAnswers(owner, [id]);
  if (undone.length === 0) return "sent";
  await release(token);
  await change(owner, (tx) => recordUse(tx, opened, holder, { undone: true }));
  return "undone";
}

/** Records that a link answered or undid its answer, with the browser and network used. */
function recordUse(tx: Change, { owner, approval }: OpenedLink, { address, userAgent }: Holder, undone = {}) {
  const data = { device: describeDevice(userAgent), address: ipNetwork(address), ...undone };
  const about = { ownerId: owner.ownerId, appId: approval.clientId, subject: approval._id };
  return record(tx, { ...about, type: "approval.answered_by_link", data });
}

/** Makes the link usable again after its answer failed or was undone. */
const release = (token: string) =>
  sql`
    UPDATE answer_link
    SET used_at = NULL, held_until = NULL
    WHERE hash = ${hashSecret(token)}`.run();
