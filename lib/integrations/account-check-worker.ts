import { randomUUID } from "node:crypto";
import type { OwnerActor } from "@/lib/actor";
import { clock } from "@/lib/clock";
import { literal, sql } from "@/lib/database/sql";
import { notFound } from "@/lib/errors";
import { publish } from "@/lib/events/pubsub";
import { isId } from "@/lib/ids";
import { log } from "@/lib/log";
import { processSingleton } from "@/lib/work/process-singleton";
import { runUntilEmpty } from "@/lib/work/worker";
import { checkAccount, type LeasedAccount, leaseSeconds, type ProviderAccess, stackFrames } from "./check-account";
import type { Integration } from "./schema";

/**
 * The maximum number of concurrent checks on this instance, and from all instances at one provider
 * or mail server. The second limit keeps a slow provider from delaying the others.
 */
const concurrency = 24;
const concurrencyPerProvider = 8;

const leased = sql`i.id, i.owner_id AS "ownerId", i.provider, i.issuer, i.subject, i.email,
  i.account_name AS name, i.lease`;
/** SQL: whether no instance has leased the account. */
const free = sql`(i.lease_until IS NULL OR i.lease_until <= now())`;
/**
 * The end of a new lease, when the account is due again in case the instance dies before it records
 * an outcome.
 */
const leaseEnd = sql`now() + make_interval(secs => ${literal(leaseSeconds)})`;
const take = () => sql`lease = ${randomUUID()}, lease_until = ${leaseEnd}, check_at = ${leaseEnd}`;

/**
 * Checks all due accounts and renews their credentials, until none is due. Instances share the
 * work through leases. If an instance records no outcome within a minute, another one takes over.
 * @param stopping aborted when this instance shuts down; running checks then finish, and no new
 *   ones start
 * @returns the number of checked accounts
 */
export const keepAlive = ({ stopping, ...speaking }: ProviderAccess = {}): Promise<number> =>
  runUntilEmpty<LeasedAccount>(
    { concurrency, take: takeDue, run: (account) => checkAccount(account, { renew: true, ...speaking }) },
    stopping,
  );

const takeDue = (room: number): Promise<LeasedAccount[]> =>
  sql<LeasedAccount>`
    WITH busy AS (
      SELECT provider, issuer, count(*) AS many
      FROM integration
      WHERE check_at <= ${leaseEnd} AND lease_until > now()
      GROUP BY provider, issuer
    ), waiting AS (
      SELECT i.id, i.provider, i.issuer,
        row_number() OVER (PARTITION BY i.provider, i.issuer ORDER BY i.check_at) AS place
      FROM integration i
      WHERE ${due}
    ), chosen AS (
      SELECT i.id
      FROM integration i
        JOIN waiting w ON w.id = i.id
        LEFT JOIN busy b ON b.provider = w.provider AND b.issuer = w.issuer
      WHERE w.place + coalesce(b.many, 0) <= ${literal(concurrencyPerProvider)} AND ${due}
      ORDER BY i.check_at LIMIT ${room}
      FOR UPDATE OF i SKIP LOCKED
    )
    UPDATE integration i
    SET ${take()}
    FROM chosen
    WHERE i.id = chosen.id
    RETURNING ${leased}`.rows();

const due = sql`i.check_at <= now() AND i.status <> 'disconnected' AND ${free}`;
/** SQL: whether any account is due for a check. */
export const accountsDue = sql`EXISTS (SELECT FROM integration i WHERE ${due})`;

/**
 * How long a request waits for a check, in milliseconds. The whole request must take less than
 * three seconds.
 */
const requestTimeoutMs = 2500;
/**
 * How long after a check another request returns its outcome instead of checking again, in seconds.
 */
const fresh = 3;

const checks = processSingleton("checks of linked accounts", () => new Set<Promise<void>>());

/** Waits for checks that continue after their requests. Called before the process exits. */
export const finishChecks = () => Promise.all(checks());

/**
 * Checks immediately whether an account works. A slow check continues in the background, because an
 * interrupted renewal could lose the new token.
 * @returns the current status, and whether the check is still `waiting` for the provider
 * @throws {AppError} 404
 */
export async function testNow(
  owner: OwnerActor,
  id: string,
  speaking: ProviderAccess = {},
): Promise<{ status: Integration["status"]; waiting: boolean }> {
  const before = await read(owner, id);
  if (!before.testable) return { status: before.status, waiting: false };
  const late = clock.pause(requestTimeoutMs, "late" as const, { ref: false });
  const account = await takeOne(owner, id);
  const ended = account
    ? // A failing account's credential is renewed, because a valid access token does not prove that renewals work.
      background(checkAccount(account, { renew: before.status !== "connected", ...speaking }))
    : nobodyAtIt(owner, id, late);
  const waiting = (await Promise.race([ended, late])) === "late";
  // Refreshes open pages even if the check changed nothing.
  if (waiting) ended.then(() => publish(owner.ownerId)).catch(() => {});
  else if (account) publish(owner.ownerId);
  return { status: (await read(owner, id)).status, waiting };
}

function background(work: Promise<void>): Promise<void> {
  const safe: Promise<void> = work
    .catch(
      (error) =>
        void log.error("could not record the check of a linked account", undefined, { at: stackFrames(error) }),
    )
    .finally(() => void checks().delete(safe));
  checks().add(safe);
  return work;
}

/**
 * Resolves once the instance that holds the lease has recorded an outcome, or after `late`
 * resolves.
 */
async function nobodyAtIt(owner: OwnerActor, id: string, late: Promise<"late">): Promise<void> {
  let waited = false;
  void late.then(() => {
    waited = true;
  });
  while (!waited && (await read(owner, id)).leased) await clock.pause(100);
}

const takeOne = ({ ownerId }: OwnerActor, id: string): Promise<LeasedAccount | undefined> =>
  sql<LeasedAccount>`
    UPDATE integration i
    SET ${take()}
    WHERE i.id = ${id} AND i.owner_id = ${ownerId} AND i.status <> 'disconnected' AND ${free}
    RETURNING ${leased}`.row();

async function read({ ownerId }: OwnerActor, id: string) {
  const found = await sql<{ status: Integration["status"]; leased: boolean; testable: boolean }>`
    SELECT i.status, NOT ${free} AS leased,
      i.status <> 'disconnected'
        AND EXISTS (
          SELECT FROM integration_secret s
          WHERE s.owner_id = i.owner_id AND s.integration_id = i.id
        )
        AND (
          i.checked_at IS NULL OR i.checked_at <= now() - make_interval(secs => ${literal(fresh)})
        ) AS testable
    FROM integration i
    WHERE i.id = ${isId("int", id) ? id : ""} AND i.owner_id = ${ownerId}`.row();
  if (!found) throw notFound();
  return found;
}
