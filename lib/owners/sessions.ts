import type { OwnerActor, SessionOwner } from "@/lib/actor";
import { epochMs, type Sql, sql } from "@/lib/database/sql";
import { AppError, notFound, signInAgain } from "@/lib/errors";
import { type Change, change } from "@/lib/events/change";
import { withWhat } from "@/lib/events/descriptions";
import { everHappened } from "@/lib/events/event-log";
import { record } from "@/lib/events/events";
import { notifyOwner } from "@/lib/events/own-notification";
import { type DatabaseSnapshot, snapshot } from "@/lib/events/snapshot";
import { isId, newId } from "@/lib/keys/ids";
import { log } from "@/lib/log";
import { ipNetwork } from "./attempt-limiter";
import { isKnownDevice, issueDeviceCookie } from "./device-cookie";
import type { Entrance, SessionSummary, SignInMethod } from "./schema";
import { mailNewDevice, newDeviceNote } from "./security-mail";
import { describeDevice } from "./user-agent";

/*
 * A session is a row of `owner_session`; next-auth's cookie only names it, and every way of signing in ends at
 * `startSession`. The most sensitive acts are `fresh` (`lib/owner-action.ts`); what only some forms need takes a `SessionOwner`
 * and `requireRecentSignIn(owner)`. The refusal becomes a link to `/sign-in/again`, which leads back, while the form keeps what was
 * typed; `requireFreshOwner` does the same for files.
 */

type Opening = {
  method: SignInMethod;
  /** What the browser says of itself. */
  userAgent: string;
  address: string;
  /** The cookie that says in which browsers they signed in before. */
  browser?: string;
  /** The session that this browser has now and that this one takes the place of. */
  instead?: string | undefined;
};

/**
 * Begin a session of 30 days for somebody who has just shown who they are. The one it replaces ends; a session of the same
 * owner is told as one that goes on. Of a sign-in in a browser that they never signed in with the owner is told, but for the
 * first of all.
 * @returns its id, and the cookie by which the browser is known from now on
 * @throws {AppError} 401 when the owner's sessions were all ended since they showed it
 */
export async function createSession(
  { ownerId, sessionVersion }: Entrance,
  { method, userAgent, address, browser = "", instead = "" }: Opening,
): Promise<{ id: string; browser: string }> {
  const id = newId("ses");
  const entrance = { ownerId, sessionVersion };
  const device = { ownerId, device: describeDevice(userAgent), address: ipNetwork(address), method };
  const opened = await change({ ownerId }, async (tx) => {
    // A browser that shows alerts goes on doing so; ending its session below would end that.
    await sql`UPDATE session_alerts SET session_id = ${id} WHERE session_id = ${instead} AND owner_id = ${ownerId}`.run(
      tx,
    );
    const before = await sql<{ owner_id: string; created_at: Date }>`UPDATE owner_session SET ended_at = now()
      WHERE id = ${instead} AND ended_at IS NULL RETURNING owner_id, created_at`.row(tx);
    const since = before?.owner_id === ownerId ? before.created_at : null;
    // Holds the owner, so that a session begun while all are being ended is either counted among them or refused.
    const begun = await sql`INSERT INTO owner_session (id, owner_id, method, device, address, created_at, expires_at)
      SELECT ${id}, id, ${method}, ${device.device}, ${device.address}, coalesce(${since}::timestamptz, now()),
        now() + interval '30 days'
      FROM owner WHERE id = ${ownerId} AND session_version = ${sessionVersion} FOR SHARE`.run(tx);
    if (begun === 0) {
      await sql`DELETE FROM session_alerts WHERE session_id = ${id}`.run(tx);
      return new AppError(401, "Your sessions were just ended. Sign in again");
    }
    const known =
      since !== null || isKnownDevice(browser, entrance) || !(await everHappened(tx, ownerId, "owner.signed_in"));
    const data = { session: id, method, ...(!known && { newDevice: device.device, address: device.address }) };
    await record(tx, { ownerId, type: "owner.signed_in", subject: ownerId, data });
    if (!known) await notifyOwner(tx, { ownerId, ...newDeviceNote(device) });
    return { known };
  });
  // Not waited for: a mail server may take its time.
  if (!opened.known) void mailNewDevice(device);
  return { id, browser: issueDeviceCookie(browser, entrance) };
}

/**
 * Whose session it is, or null once it has ended. `fresh` where the owner showed who they are within the last ten minutes.
 * `snapshot`: whatever is read after this shows at least what this statement could see.
 * That it was seen is written down at most once a minute, and nobody waits for it.
 * @param pending a count to read in the same statement
 */
export async function sessionOwner(ownerId: string, sessionVersion: unknown, session: unknown, pending: Sql = sql`0`) {
  if (typeof session !== "string" || !isId("ses", session) || !Number.isInteger(sessionVersion)) return null;
  const found = await sql<Found>`
    SELECT o.name, o.email, s.method, s.signed_in_at >= now() - interval '10 minutes' AS fresh,
        s.last_seen_at < now() - interval '1 minute' AS unseen, ${snapshot} AS snapshot, ${pending} AS pending
      FROM owner_session s JOIN owner o ON o.id = s.owner_id
      WHERE s.id = ${session} AND o.id = ${ownerId} AND o.session_version = ${sessionVersion as number} AND s.ended_at IS NULL AND s.expires_at > now()`.row();
  if (!found) return null;
  const { unseen, ...owner } = found;
  if (unseen) void seen(session);
  return { kind: "owner" as const, ownerId, session, ...owner };
}

type Found = {
  name: string;
  email: string;
  method: SignInMethod;
  fresh: boolean;
  unseen: boolean;
  snapshot: DatabaseSnapshot;
  pending: number;
};

const seen = (session: string) =>
  sql`UPDATE owner_session SET last_seen_at = now()
        WHERE id = ${session} AND last_seen_at < now() - interval '1 minute' AND ended_at IS NULL`
    .run()
    .catch((error) => log.warn("a session's last use was not recorded", { reason: String(error) }));

/** @throws {SignInAgain} 403 unless the owner showed who they are within the last ten minutes */
export function requireRecentSignIn({ fresh }: SessionOwner): void {
  if (!fresh) throw signInAgain();
}

/** The owner's live sessions, the one asking first, then those seen last. Times in epoch milliseconds. */
export async function listSessions({ ownerId, session }: OwnerActor & { session: string }): Promise<SessionSummary[]> {
  const live = await sql<Omit<SessionSummary, "how"> & { method: SignInMethod }>`
    SELECT id, device, address, method, ${epochMs("created_at")} AS "createdAt", ${epochMs("last_seen_at")} AS "lastSeenAt",
      id = ${session} AS current
    FROM owner_session WHERE owner_id = ${ownerId} AND ended_at IS NULL AND expires_at > now()
    ORDER BY current DESC, last_seen_at DESC, id DESC LIMIT 100`.rows();
  return live.map(({ method, ...session }) => ({ ...session, how: withWhat(method) }));
}

/** Whether this session of the owner's still holds, within a statement. */
export const isSessionValid = (ownerId: string, session: string): Sql => sql`EXISTS (SELECT FROM owner_session
  WHERE id = ${session} AND owner_id = ${ownerId} AND ended_at IS NULL AND expires_at > now())`;

/**
 * End one session; its next request is nobody's, at every copy of the service.
 * @throws {AppError} 404 when the owner has no such session, or it has ended
 */
export async function endSession({ ownerId, session }: OwnerActor & { session: string }, id: string): Promise<void> {
  await change({ ownerId }, async (tx) => {
    const ended = await sql`UPDATE owner_session SET ended_at = now()
      WHERE id = ${id} AND owner_id = ${ownerId} AND ended_at IS NULL AND expires_at > now()`.run(tx);
    if (ended === 0) throw notFound();
    const type = id === session ? "owner.signed_out" : "owner.session_ended";
    await record(tx, { ownerId, type, subject: ownerId, data: { session: id } });
  });
}

/**
 * End every session of the owner, their browsers' alerts, and every sign-in link on its way. Sessions about to begin with an
 * older version are refused. For the transaction that changes the owner.
 * @param but a session that the next one will take the place of: it opens nothing any more, and its browser is told on
 * @returns the version that sessions have from now on
 */
export async function endEverySession(tx: Change, ownerId: string, but = ""): Promise<number> {
  const { sessionVersion } = await tx.owner.update({
    where: { id: ownerId },
    data: { sessionVersion: { increment: 1 } },
  });
  await sql`UPDATE owner_session SET ended_at = now()
    WHERE owner_id = ${ownerId} AND ended_at IS NULL AND id <> ${but}`.run(tx);
  // Also of browsers whose session ran out and is no longer there to be ended.
  await sql`DELETE FROM session_alerts WHERE owner_id = ${ownerId} AND session_id <> ${but}`.run(tx);
  await tx.signInLink.deleteMany({ where: { ownerId, usedAt: null } });
  return sessionVersion;
}
