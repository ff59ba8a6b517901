import { type Change, concerns } from "@/lib/events/change";
import { record } from "@/lib/events/events";
import { accessesOf, bucketsOf } from "./catalogue";
import type { AccountRow } from "./status";

/**
 * Note what an account gives by what its provider last said, in the change that locked its row. What changed for the owner is
 * an event.
 */
export async function noteScopes(
  tx: Change,
  row: Pick<AccountRow, "id" | "ownerId" | "provider" | "scopes" | "buckets">,
  scopes: string[],
): Promise<void> {
  const buckets = bucketsOf(row.provider, scopes);
  // What scopes come to may be known better than it was.
  if (same(row.scopes, scopes) && same(row.buckets, buckets)) return;
  const [before, after] = [accessesOf(row.provider, row.scopes), accessesOf(row.provider, scopes)];
  await tx.integration.update({ where: { id: row.id }, data: { scopes, buckets } });
  concerns(tx, row.ownerId);
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

const same = (one: readonly string[], other: readonly string[]) =>
  [...one].sort().join(" ") === [...other].sort().join(" ");
