import { deleteHomes, differences, readMovedRows } from "./compare-and-delete";
import { endCopy } from "./copy-homes";
import { showHomes } from "./hidden-homes";
import { type Move, MoveError } from "./move";

/**
 * Completes a move after its switch: compares the contents, ends replication, and deletes the
 * former rows.
 * @param hasSnapshot whether `move.snapshot` shows the new shard at the moment of the switch. If
 *   the mover stopped after the switch, owners may have changed their data since, so only the
 *   tables that keep their rows are compared.
 * @returns the number of deleted rows
 * @throws {MoveError} if rows are missing on the new shard; nothing is deleted then
 */
export async function compareAndCleanUp(move: Move, hasSnapshot: boolean): Promise<number> {
  const { from, to, homes, tell, before, snapshot } = move;
  await before?.("compare");
  tell(`Comparing the rows on ${from.name} and ${to.name}`);
  const former = await readMovedRows(from.client, homes);
  const moved = await readMovedRows(snapshot, homes);
  if (hasSnapshot) await snapshot.query("ROLLBACK");
  const isLasting = ({ table }: { table: string }) => table === "owner" || table === "event";
  const missing = hasSnapshot
    ? differences(former, moved)
    : former.filter(isLasting).flatMap((it) => {
        const there = moved.find(({ table }) => table === it.table);
        return Number(there?.rows) >= Number(it.rows) ? [] : differences([it], there ? [there] : []);
      });
  if (missing.length > 0)
    throw new MoveError(
      `The homes are on ${to.name}, but the contents differ: ${missing.join("; ")}. Nothing was deleted on ${from.name}.`,
    );
  await endCopy(from.client, to.client);
  await before?.("delete");
  const deleted = await deleteHomes(from.client, homes, (rows) => tell(`Deleted ${rows} rows on ${from.name}`));
  await showHomes(from.client);
  return deleted;
}
