import { type Executor, epochMs, sql } from "@/lib/database/sql";
import { affects, type Change } from "@/lib/events/change-transaction";
import { record } from "@/lib/events/record-events";
import { notifyOwner } from "@/lib/events/service-notification";
import { checkAgainAt, tryAgainAt } from "./account-check-schedule";
import { accessesOf, bucketsOf } from "./provider-catalog";
import type { Credential, ProviderFault, StatusReason } from "./providers/provider";
import { reconnectNotice } from "./reconnect-notice";
import type { Integration } from "./schema";

/*
 * A status says whether a linked account works and who must act next. Only this module changes the
 * status, under a lock of the account's row. The same transaction records the event and the owner's
 * notification.
 */

type Status = Integration["status"];

/** A linked account with a locked row. Times are in epoch milliseconds, by the database's clock. */
export type AccountRow = {
  id: string;
  ownerId: string;
  provider: string;
  email: string;
  label: string | null;
  status: Status;
  reason: StatusReason | null;
  scopes: string[];
  buckets: string[];
  failures: number;
  failingSince: number | null;
  refreshedAt: number | null;
  disconnectedAt: number | null;
  eraseAt: number | null;
  statusBefore: Status | null;
  lease: string | null;
  now: number;
};

/** The possible outcomes for an account. */
export type AccountOutcome =
  /** The owner just linked the account, for the first time or again. */
  | { kind: "linked"; credential: Credential }
  /** The provider confirmed the credential. `renewed`: whether the provider has just issued it. */
  | { kind: "works"; credential: Credential; renewed: boolean }
  /** `quiet`: the caller notifies the owner. */
  | { kind: "failed"; fault: Pick<ProviderFault, "reason" | "final" | "retryAfter">; quiet?: boolean }
  /** The owner removed the account. Its credential is erased at `eraseAt`. */
  | { kind: "disconnected"; eraseAt: number }
  /** The owner undid the removal. */
  | { kind: "restored" }
  /** The account's credential was erased. */
  | { kind: "erased" };

/**
 * How long checks must have failed before the account's status becomes `error`, in milliseconds.
 */
const hiccup = 5 * 60_000;
/** How long checks must have failed before the account needs its owner, in milliseconds. */
const tooLong = 4 * 24 * 60 * 60_000;

/** The columns of an account's next status. */
export type NextStatus = Pick<AccountRow, "status" | "reason" | "failures" | "failingSince"> & {
  /**
   * When to check again, in epoch milliseconds. Undefined leaves the time unchanged. Null stops
   * checks until the owner acts.
   */
  checkAt?: number | null;
};

/** Returns an account's next status. Writes nothing. */
export function nextStatus(row: AccountRow, outcome: AccountOutcome): NextStatus {
  const { status, reason, failures, failingSince, now } = row;
  const same: NextStatus = { status, reason, failures, failingSince };
  const well = { status: "connected", reason: null, failures: 0, failingSince: null } as const;
  switch (outcome.kind) {
    case "linked":
      return { ...well, checkAt: checkAgainAt(outcome.credential, now, now) };
    case "works": {
      // The status of a removed account never changes.
      if (status === "disconnected") return same;
      const renewedAt = outcome.renewed ? now : (row.refreshedAt ?? now);
      return { ...well, checkAt: checkAgainAt(outcome.credential, renewedAt, now) };
    }
    case "failed":
      return status === "disconnected" ? same : failed(row, outcome.fault);
    case "disconnected":
      // Keeps the reason until the account is erased, in case the owner undoes the removal.
      return status === "disconnected" ? same : { ...same, status: "disconnected", checkAt: null };
    case "erased":
      return { status: "disconnected", reason: "owner_disconnected", failures: 0, failingSince: null, checkAt: null };
    case "restored":
      if (status !== "disconnected") return same;
      return {
        ...same,
        status: row.statusBefore ?? "connected",
        checkAt: row.statusBefore === "needs_reauth" ? null : now,
      };
  }
}

function failed(row: AccountRow, fault: Pick<ProviderFault, "reason" | "final" | "retryAfter">): NextStatus {
  const { status, now } = row;
  const failures = row.failures + 1;
  const failingSince = row.failingSince ?? now;
  if (fault.final) return { status: "needs_reauth", reason: fault.reason, failures, failingSince, checkAt: null };
  // A temporary fault does not change the status of an account that only the owner can fix.
  if (status === "needs_reauth") return { ...row, checkAt: null };
  if (now - failingSince > tooLong)
    return { status: "needs_reauth", reason: "failing_too_long", failures, failingSince, checkAt: null };
  const lasting = status === "error" || (failures >= 2 && now - failingSince >= hiccup);
  return {
    status: lasting ? "error" : "connected",
    reason: lasting ? fault.reason : null,
    failures,
    failingSince,
    checkAt: tryAgainAt(now, failures, fault.retryAfter),
  };
}

/**
 * Returns the account, and locks its row until the transaction ends.
 * @param ownerId if given, other owners' accounts are not found
 */
export const lockAccount = (tx: Executor, id: string, ownerId?: string): Promise<AccountRow | undefined> =>
  sql<AccountRow>`
    SELECT id, owner_id AS "ownerId", provider, email, label, status, status_reason AS reason,
      scopes, buckets, failures, ${epochMs("failing_since")} AS "failingSince",
      ${epochMs("refreshed_at")} AS "refreshedAt",
      ${epochMs("disconnected_at")} AS "disconnectedAt", ${epochMs("erase_at")} AS "eraseAt",
      status_before AS "statusBefore", lease,
      floor(extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now
    FROM integration
    WHERE id = ${id} AND owner_id = coalesce(${ownerId ?? null}, owner_id)
    FOR UPDATE`.row(tx);

/**
 * Records an outcome for an account, whose row the transaction must have locked (`lockAccount`). A
 * new status also causes an event, and a notification if the owner must act. Checking, linking or
 * erasing an account ends its lease.
 * @returns the account's new status
 */
export async function recordOutcome(tx: Change, row: AccountRow, outcome: AccountOutcome): Promise<Status> {
  const after = nextStatus(row, outcome);
  await write(tx, row, outcome, after);
  if (after.status === row.status) return after.status;
  const reason = after.status === "disconnected" ? "owner_disconnected" : after.reason;
  await record(tx, {
    ownerId: row.ownerId,
    type: "integration.status_changed",
    subject: row.id,
    data: { provider: row.provider, from: row.status, to: after.status, ...(reason && { reason }) },
  });
  const quiet = outcome.kind === "restored" || (outcome.kind === "failed" && outcome.quiet);
  if (after.status === "needs_reauth" && !quiet)
    await notifyOwner(tx, {
      ownerId: row.ownerId,
      ...reconnectNotice({ ...row, reason: after.reason }),
      type: "account",
    });
  return after.status;
}

async function write(tx: Executor, row: AccountRow, outcome: AccountOutcome, after: NextStatus): Promise<void> {
  const dateOf = (time: number | null | undefined) => (typeof time === "number" ? new Date(time) : null);
  const looked = outcome.kind === "linked" || outcome.kind === "works" || outcome.kind === "failed";
  const ended = looked || outcome.kind === "erased";
  const credential = outcome.kind === "linked" || outcome.kind === "works" ? outcome.credential : undefined;
  const renewed = outcome.kind === "linked" || (outcome.kind === "works" && outcome.renewed);
  const expiresAt = credential?.kind === "oauth" ? credential.expiresAt : null;
  const removed = after.status === "disconnected";
  const undoable = removed && outcome.kind !== "erased";
  const already = row.status === "disconnected";
  const eraseAt = outcome.kind === "disconnected" && !already ? outcome.eraseAt : row.eraseAt;
  const before = already ? row.statusBefore : row.status;
  await sql`
    UPDATE integration
    SET status = ${after.status}, status_reason = ${after.reason}, failures = ${after.failures},
      failing_since = ${dateOf(after.failingSince)},
      check_at = CASE
        WHEN ${after.checkAt === undefined} THEN check_at
        ELSE ${dateOf(after.checkAt)}
      END,
      checked_at = CASE WHEN ${looked} THEN ${dateOf(row.now)} ELSE checked_at END,
      refreshed_at = CASE WHEN ${renewed} THEN ${dateOf(row.now)} ELSE refreshed_at END,
      token_expires_at = CASE
        WHEN ${!!credential || outcome.kind === "erased"} THEN ${dateOf(expiresAt)}
        ELSE token_expires_at
      END,
      lease = CASE WHEN ${ended} THEN NULL ELSE lease END,
      lease_until = CASE WHEN ${ended} THEN NULL ELSE lease_until END,
      disconnected_at = ${removed ? dateOf(row.disconnectedAt ?? row.now) : null},
      erase_at = ${undoable ? dateOf(eraseAt) : null}, status_before = ${undoable ? before : null}
    WHERE id = ${row.id}`.run(tx);
}

/**
 * Stores the access that the provider reported, in the transaction that locked the account's row. A
 * change that the owner can see is also recorded as an event.
 */
export async function noteScopes(tx: Change, row: AccountRow, scopes: string[]): Promise<void> {
  const buckets = bucketsOf(row.provider, scopes);
  // Compares the buckets too, because our mapping of scopes may have changed since the last check.
  if (same(row.scopes, scopes) && same(row.buckets, buckets)) return;
  const [before, after] = [accessesOf(row.provider, row.scopes), accessesOf(row.provider, scopes)];
  await tx.integration.update({ where: { id: row.id }, data: { scopes, buckets } });
  affects(tx, row.ownerId);
  if (same(before, after)) return;
  await record(tx, {
    ownerId: row.ownerId,
    type: "integration.access_changed",
    subject: row.id,
    data: {
      provider: row.provider,
      added: after.filter((each) => !before.includes(each)),
      removed: before.filter((each) => !after.includes(each)),
    },
  });
}

const same = (a: readonly string[], b: readonly string[]) => [...a].sort().join(" ") === [...b].sort().join(" ");
