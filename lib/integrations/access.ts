import type { Transaction } from "@/lib/db";
import { record } from "@/lib/events/events";
import { accessesOf, bucketsOf } from "./catalogue";
import type { AccountRow } from "./status";

/**
 * Note what an account gives by what its provider last said, in the transaction that locked its row. What changed for the
 * owner is an event; call `announce(row.ownerId)` after the commit.
 * @returns whether anything is new
 */
export async function noteScopes(
  tx: Pick<Transaction, "integration" | "event">,
  row: Pick<AccountRow, "id" | "ownerId" | "provider" | "scopes" | "buckets">,
  scopes: string[],
): Promise<boolean> {
  const buckets = bucketsOf(row.provider, scopes);
  // What scopes come to may be known better than it was.
  if (same(row.scopes, scopes) && same(row.buckets, buckets)) return false;
  const [before, after] = [accessesOf(row.provider, row.scopes), accessesOf(row.provider, scopes)];
  await tx.integration.update({ where: { id: row.id }, data: { scopes, buckets } });
  if (same(before, after)) return true;
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
  return true;
}

const same = (one: readonly string[], other: readonly string[]) =>
  [...one].sort().join(" ") === [...other].sort().join(" ");
