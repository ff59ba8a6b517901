import { db } from "@/lib/db";
import { type Change, change } from "@/lib/events/change";
import { notifyOwner } from "@/lib/events/notify";
import { type DataKeyRow, KeyError, openDataKey } from "@/lib/keys/data-keys";
import { keyUsed, type SealedRows } from "@/lib/keys/sealed-rows";
import { type On, sql } from "@/lib/sql";
import { type AccountRow, lockAccount, recordOutcome } from "./status";
import { type AccountRef, CredentialUnreadable, destroyCredential, openCredential } from "./vault";
import { whyReconnectThese } from "./why-reconnect";

/**
 * Whether the operator's keys open what is kept of linked accounts and webhooks. A key that nothing uses and that does not
 * open is deleted: it protects nothing.
 * @param sealed everything that is closed with data keys
 * @throws {KeyError} naming the key, how much it protects, and the ways on
 */
export async function checkKeys(sealed: readonly SealedRows[]): Promise<void> {
  const keys = await sql<DataKeyRow & { accounts: number; webhooks: number }>`
    SELECT id, wrapped, wrapped_by, (SELECT count(*)::int FROM integration_secret s WHERE s.key_id = k.id) AS accounts,
        (SELECT count(DISTINCT s.endpoint_id)::int FROM webhook_secret s WHERE s.key_id = k.id) AS webhooks
      FROM data_key k ORDER BY created_at`.rows();
  for (const { accounts, webhooks, ...row } of keys) {
    const problem = problemOf(row);
    if (!problem) continue;
    if (accounts + webhooks === 0 && (await deleteIfUnused(sealed, row.id))) continue;
    const parts = [...counted(accounts, "account"), ...counted(webhooks, "webhook")];
    const many = parts.join(" and ") || "nothing";
    throw new KeyError(
      `${problem.message}: restore the former one, or give up what is stored for ${many} with "npm run -s countersign -- keys forget".`,
    );
  }
}

const counted = (count: number, what: string) =>
  count === 0 ? [] : [count === 1 ? `one ${what}` : `${count} ${what}s`];

function problemOf(row: DataKeyRow): KeyError | undefined {
  try {
    openDataKey(row);
    return undefined;
  } catch (error) {
    if (error instanceof KeyError) return error;
    throw error;
  }
}

/** @returns whether it is gone */
const deleteIfUnused = (sealed: readonly SealedRows[], id: string) =>
  db.$transaction(async (tx) => {
    // Whoever is about to store something with it holds it.
    await sql`SELECT id FROM data_key WHERE id = ${id} FOR UPDATE`.rows(tx);
    return (await sql`DELETE FROM data_key k WHERE id = ${id} AND NOT ${keyUsed(sealed)}`.run(tx)) > 0;
  });

/** What is kept and does not open with the keys there are. */
export type LostCredentials = { accounts: number; owners: number };

/** Count what `forgetUnreadable` would give up. */
export async function countUnreadable(): Promise<LostCredentials> {
  const lost = await unreadable();
  return { accounts: [...lost.values()].flat().length, owners: lost.size };
}

/**
 * Destroy what is kept of linked accounts and does not open with the keys there are, and have their owners connect them
 * again: one notification for each owner. Each owner's is one transaction, so it can be broken off and done again.
 */
export async function forgetUnreadable(sealed: readonly SealedRows[]): Promise<LostCredentials> {
  const gone = { accounts: 0, owners: 0 };
  for (const [ownerId, accounts] of await unreadable()) {
    const forgotten = await change({ ownerId }, (tx) => forget(tx, ownerId, accounts), { timeout: 30_000 });
    gone.accounts += forgotten;
    if (forgotten > 0) gone.owners++;
  }
  for (const row of await sql<DataKeyRow>`SELECT id, wrapped, wrapped_by FROM data_key`.rows())
    if (problemOf(row)) await deleteIfUnused(sealed, row.id);
  return gone;
}

async function forget(tx: Change, ownerId: string, accounts: AccountRef[]): Promise<number> {
  const waiting: AccountRow[] = [];
  let forgotten = 0;
  for (const account of accounts) {
    const row = await lockAccount(tx, account.id, ownerId);
    // Linked again, or removed, since it was looked at.
    if (!row || (await opens(tx, account))) continue;
    await destroyCredential(tx, account.id);
    forgotten++;
    const fault = { reason: "credential_unreadable", final: true } as const;
    const status = await recordOutcome(tx, row, { kind: "failed", fault, quiet: true });
    if (status === "needs_reauth" && row.status !== status) waiting.push(row);
  }
  if (waiting.length > 0) await notifyOwner(tx, { ownerId, ...whyReconnectThese(waiting), type: "account" });
  return forgotten;
}

/** Every account of which something is kept that does not open, by owner. */
async function unreadable(): Promise<Map<string, AccountRef[]>> {
  const found = new Map<string, AccountRef[]>();
  let after = "";
  for (;;) {
    const accounts =
      await sql<AccountRef>`SELECT i.id, i.owner_id AS "ownerId", i.provider FROM integration_secret s JOIN integration i ON i.id = s.integration_id
        WHERE i.id > ${after} ORDER BY i.id LIMIT 500`.rows();
    for (const account of accounts) {
      if (await opens(db, account)) continue;
      found.set(account.ownerId, [...(found.get(account.ownerId) ?? []), account]);
    }
    const last = accounts.at(-1);
    if (!last) return found;
    after = last.id;
  }
}

async function opens(tx: On, account: AccountRef): Promise<boolean> {
  try {
    await openCredential(tx, account);
    return true;
  } catch (error) {
    if (error instanceof CredentialUnreadable || error instanceof KeyError) return false;
    throw error;
  }
}
