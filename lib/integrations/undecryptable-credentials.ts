import type { Executor } from "@/lib/database/sql";
import { type Change, change } from "@/lib/events/change-transaction";
import { notifyOwner } from "@/lib/events/service-notification";
import { KeyError } from "@/lib/keys/data-keys";
import { undecryptable } from "@/lib/keys/encrypted-table";
import { type AccountRow, lockAccount, recordOutcome } from "./account-status";
import { whyReconnectThese } from "./reconnect-notice";
import { type AccountRef, CredentialUnreadable, destroyCredential, openCredential, sealedCredentials } from "./vault";

/**
 * The number of accounts whose credentials the configured keys cannot decrypt, and the number of
 * owners affected.
 */
export type UndecryptableCredentials = { accounts: number; owners: number };

/** Counts the credentials that `removeUndecryptableCredentials` would destroy. */
export async function countUndecryptableCredentials(): Promise<UndecryptableCredentials> {
  const all = await lost();
  return { accounts: [...all.values()].flat().length, owners: all.size };
}

/**
 * Deletes credentials that the configured keys cannot decrypt, and asks each affected owner in one
 * notification to reconnect the accounts. Each owner is processed in one transaction, so an
 * interrupted run can be repeated.
 */
export async function removeUndecryptableCredentials(): Promise<UndecryptableCredentials> {
  const gone = { accounts: 0, owners: 0 };
  for (const [ownerId, accounts] of await lost()) {
    const forgotten = await change({ ownerId }, (tx) => forget(tx, ownerId, accounts), { timeout: 30_000 });
    gone.accounts += forgotten;
    if (forgotten > 0) gone.owners++;
  }
  return gone;
}

async function forget(tx: Change, ownerId: string, accounts: AccountRef[]): Promise<number> {
  const waiting: AccountRow[] = [];
  let forgotten = 0;
  for (const account of accounts) {
    const row = await lockAccount(tx, account.id, ownerId);
    // The account may have been linked again or removed in the meantime.
    if (!row || (await opens(tx, account))) continue;
    await destroyCredential(tx, account);
    forgotten++;
    const fault = { reason: "credential_unreadable", final: true } as const;
    const status = await recordOutcome(tx, row, { kind: "failed", fault, quiet: true });
    if (status === "needs_reauth" && row.status !== status) waiting.push(row);
  }
  if (waiting.length > 0) await notifyOwner(tx, { ownerId, ...whyReconnectThese(waiting), type: "account" });
  return forgotten;
}

/** Returns the accounts with undecryptable credentials, by owner ID. */
async function lost(): Promise<Map<string, AccountRef[]>> {
  const found = new Map<string, AccountRef[]>();
  for (const [id, [, ownerId = "", provider = ""]] of await undecryptable(sealedCredentials))
    found.set(ownerId, [...(found.get(ownerId) ?? []), { id, ownerId, provider }]);
  return found;
}

async function opens(tx: Executor, account: AccountRef): Promise<boolean> {
  try {
    await openCredential(tx, account);
    return true;
  } catch (error) {
    if (error instanceof CredentialUnreadable || error instanceof KeyError) return false;
    throw error;
  }
}
