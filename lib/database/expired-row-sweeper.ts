import { counter } from "../telemetry/declare-metrics";
import { runLongStatement } from "./long-statement";
import { isInDirectory } from "./shards/each-shard";
import { serviceTables } from "./shards/service-tables";
import { identifier, literal, type Sql, sql } from "./sql";

/** A rule that selects a table's expired rows. Every domain declares its own rules. */
export type ExpiryRule = { table: string; when: Sql };

const batch = 1000;
const swept = counter("countersign_swept_rows_total", "Expired rows that the service deleted, by table.", "table");

/**
 * Deletes expired rows, table by table. Each statement deletes at most a thousand rows, so that
 * other work is delayed only briefly.
 * @returns the number of deleted rows
 */
export async function sweepExpired(spent: readonly ExpiryRule[]): Promise<number> {
  let total = 0;
  for (const { table, when } of spent) {
    // The directory's own sweep deletes the service's rows.
    if (serviceTables.has(table) && !isInDirectory()) continue;
    const name = identifier(table);
    let deleted = batch;
    while (deleted === batch) {
      const { rowCount } = await runLongStatement(
        sql`
          DELETE FROM ${name}
          WHERE ctid = ANY (ARRAY(
            SELECT ctid FROM ${name} WHERE ${when} LIMIT ${literal(batch)} FOR UPDATE SKIP LOCKED
          ))`,
      );
      deleted = rowCount ?? 0;
      total += deleted;
      swept([table], deleted);
    }
  }
  return total;
}
