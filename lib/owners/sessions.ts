import type { OwnerActor, SessionOwner, SignInMethod } from "@/lib/actor";
import { epochMs, type Sql, sql } from "@/lib/database/sql";
import { AppError, notFound, signInAgain } from "@/lib/errors";
import { type Change, change } from "@/lib/events/change-transaction";
import { type DatabaseSnapshot, snapshot } from "@/lib/events/database-snapshot";
import { withWhat } from "@/lib/events/event-descriptions";
import { everHappened } from "@/lib/events/event-sql-for-other-domains";
import { record } from "@/lib/events/record-events";
import { notifyOwner } from "@/lib/events/service-notification";
import { isId, newId } from "@/lib/ids";
import { log } from "@/lib/log";
import { ipNetwork } from "@/lib/net/ip-prefix";
import { pausePoint } from "@/lib/pause-points";
import { isKnownDevice, issueDeviceCookie } from "./device-cookie";
import { endSessionElsewhere } from "./find-accounts";
import type { Entrance, SessionSummary } from "./schema";
import { mailNewDevice, newDeviceNote } from "./security-mail";
import { describeDevice } from "./user-agent";

/*
 * A session is a row of `owner_session`. Every sign-in method starts one through `startSession`. A
 * sensitive action requires that the owner proved their identity within the last ten minutes. It is
 * declared `fresh` (`lib/form-action.ts`) or, if only some inputs are sensitive, calls
 * `requireRecentSignIn`. Its error links to `/sign-in/again`, which leads back to the form with its
 * input.
 */

type Opening = {
  method: SignInMethod;
  /** The User-Agent header. */
  userAgent: string;
  address: string;
  /** The device cookie, which shows who has already signed in with this browser. */
  browser?: string;
  /** The browser's current session, which the new session replaces. */
  instead?: string | undefined;
};

/**
 * Starts a 30-day session for an owner who has just proved their identity, and ends the browser's
 * current session. If both sessions have the same owner, the new one keeps the start time. Notifies
 * the owner of a new browser, except at the first sign-in.
 * @returns the session's ID, and the browser's new device cookie
 * @throws {AppError} 401 if all of the owner's sessions were ended since the sign-in
 */
export async function createSession(
  { ownerId, sessionVersion }: Entrance,
  { method, userAgent, address, browser = "", instead = "" }: Opening,
): Promise<{ id: string; browser: string }> {
  const id = newId("ses");
  const entrance = { ownerId, sessionVersion };
  const device = { ownerId, device: describeDevice(userAgent), address: ipNetwork(address), method };
  const opened = await change({ ownerId }, async (tx) => {
    // The new session takes over the browser's alerts, because they would be deleted with the old
    // session below.
    await sql`
      UPDATE session_alerts
      SET session_id = ${id}
      WHERE session_id = ${instead} AND owner_id = ${ownerId}`.run(tx);
    const before = await sql<{ owner_id: string; created_at: Date }>`
      UPDATE owner_session
      SET ended_at = now()
      WHERE id = ${instead} AND ended_at IS NULL
      RETURNING owner_id, created_at`.row(tx);
    const since = before?.owner_id === ownerId ? before.created_at : null;
    // Locks the owner. A session that starts while all sessions are being ended is then either
    // ended too or rejected.
    const begun = await sql`
      INSERT INTO owner_session (id, owner_id, method, device, address, created_at, expires_at)
      SELECT ${id}, id, ${method}, ${device.device}, ${device.address},
        coalesce(${since}::timestamptz, now()), now() + interval '30 days'
      FROM owner
      WHERE id = ${ownerId} AND session_version = ${sessionVersion}
      FOR SHARE`.run(tx);
    if (begun === 0) {
      await sql`
        DELETE FROM session_alerts
        WHERE owner_id = ${ownerId} AND session_id = ${id}`.run(tx);
      return new AppError(401, "You were just signed out everywhere. Sign in again.");
    }
    const known =
      since !== null || isKnownDevice(browser, entrance) || !(await everHappened(tx, ownerId, "owner.signed_in"));
    const data = { session: id, method, ...(!known && { newDevice: device.device, address: device.address }) };
    await record(tx, { ownerId, type: "owner.signed_in", subject: ownerId, data });
    if (!known) await notifyOwner(tx, { ownerId, ...newDeviceNote(device) });
    return { known, replaced: before !== undefined };
  });
  // The browser's previous session can belong to an owner on another shard.
  if (instead !== "" && !opened.replaced) await endSessionElsewhere(ownerId, instead);
  // Not awaited, because a mail server can be slow.
  if (!opened.known) void mailNewDevice(device);
  return { id, browser: issueDeviceCookie(browser, entrance) };
}

const zero = sql`0`;

/**
 * Returns the owner of a live session, or null if the session has ended. `fresh` is whether the
 * owner proved their identity within the last ten minutes. Later reads see at least what `snapshot`
 * includes. Records the session's last use in the background, at most once a minute.
 * @param pending SQL for a count to read in the same statement
 */
export async function sessionOwner(ownerId: string, sessionVersion: unknown, session: unknown, pending: Sql = zero) {
  if (typeof session !== "string" || !isId("ses", session) || !Number.isInteger(sessionVersion)) return null;
  const found = await sql<SessionRow>`
    SELECT o.name, o.email, s.method, s.signed_in_at >= now() - interval '10 minutes' AS fresh,
      s.last_seen_at < now() - interval '1 minute' AS unseen, ${snapshot} AS snapshot,
      ${pending} AS pending
    FROM owner_session s JOIN owner o ON o.id = s.owner_id
    WHERE s.id = ${session}
      AND o.id = ${ownerId}
      AND o.session_version = ${sessionVersion as number}
      AND s.ended_at IS NULL
      AND s.expires_at > now()`.row();
  if (!found) return null;
  await pausePoint("page admitted, nothing read");
  const { unseen, ...owner } = found;
  if (unseen) void seen(ownerId, session);
  return { kind: "owner" as const, ownerId, session, ...owner };
}

type SessionRow = {
  name: string;
  email: string;
  method: SignInMethod;
  fresh: boolean;
  unseen: boolean;
  snapshot: DatabaseSnapshot;
  pending: number;
};

const seen = (ownerId: string, session: string) =>
  sql`
    UPDATE owner_session
    SET last_seen_at = now()
    WHERE owner_id = ${ownerId}
      AND id = ${session}
      AND last_seen_at < now() - interval '1 minute'
      AND ended_at IS NULL`
    .run()
    .catch((error) => log.warn("could not record a session's last use", { reason: String(error) }));

/**
 * Checks that the owner proved their identity within the last ten minutes.
 * @throws {SignInAgain} 403 if they did not
 */
export function requireRecentSignIn({ fresh }: SessionOwner): void {
  if (!fresh) throw signInAgain();
}

/**
 * Returns the owner's live sessions: the current one first, then the others by last use. Times are
 * in epoch milliseconds.
 */
export async function listSessions({ ownerId, session }: OwnerActor & { session: string }): Promise<SessionSummary[]> {
  const live = await sql<Omit<SessionSummary, "how"> & { method: SignInMethod }>`
    SELECT id, device, address, method, ${epochMs("created_at")} AS "createdAt",
      ${epochMs("last_seen_at")} AS "lastSeenAt", id = ${session} AS current
    FROM owner_session
    WHERE owner_id = ${ownerId} AND ended_at IS NULL AND expires_at > now()
    ORDER BY current DESC, last_seen_at DESC, id DESC LIMIT 100`.rows();
  return live.map(({ method, ...session }) => ({ ...session, how: withWhat(method) }));
}

/** SQL: whether this session of the owner is live. */
export const isSessionValid = (ownerId: string, session: string): Sql => sql`EXISTS (
  SELECT FROM owner_session
  WHERE id = ${session} AND owner_id = ${ownerId} AND ended_at IS NULL AND expires_at > now()
)`;

/**
 * Ends one session. Every instance rejects the session's next request.
 * @throws {AppError} 404 if the owner has no such session, or if it has ended
 */
export async function endSession({ ownerId, session }: OwnerActor & { session: string }, id: string): Promise<void> {
  await change({ ownerId }, async (tx) => {
    const ended = await sql`
      UPDATE owner_session
      SET ended_at = now()
      WHERE id = ${id}
        AND owner_id = ${ownerId}
        AND ended_at IS NULL
        AND expires_at > now()`.run(tx);
    if (ended === 0) throw notFound();
    const type = id === session ? "owner.signed_out" : "owner.session_ended";
    await record(tx, { ownerId, type, subject: ownerId, data: { session: id } });
  });
}

/**
 * Ends all of the owner's sessions and unused links, and removes their browsers' alerts. Sign-ins
 * in progress are rejected. Call this in the transaction that changes the owner.
 * @param but the session whose browser keeps its alerts, for the session that replaces it
 * @returns the version for new sessions
 */
export async function endEverySession(tx: Change, ownerId: string, but = ""): Promise<number> {
  const { sessionVersion } = await tx.owner.update({
    where: { id: ownerId },
    data: { sessionVersion: { increment: 1 } },
  });
  await sql`
    UPDATE owner_session
    SET ended_at = now()
    WHERE owner_id = ${ownerId} AND ended_at IS NULL AND id <> ${but}`.run(tx);
  // Includes the alerts of browsers whose expired session was already deleted.
  await sql`
    DELETE FROM session_alerts
    WHERE owner_id = ${ownerId} AND session_id <> ${but}`.run(tx);
  await tx.signInLink.deleteMany({ where: { ownerId, usedAt: null } });
  return sessionVersion;
}
