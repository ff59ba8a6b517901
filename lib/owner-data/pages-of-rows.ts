import { runLongStatement } from "@/lib/database/long-statement";
import { type ExportedTable, type OwnerTable, ownedBy } from "@/lib/database/owner-data-table";
import { and, identifier, list, literal, type Sql, sql } from "@/lib/database/sql";

/** Rows per page. */
const size = 500;

/**
 * Reads an owner's rows of one table, in pages if the table has an order for them.
 * @param row SQL: a row `t` as text
 */
export async function* pagesOf(
  { table, condition = ownedBy, paged }: Pick<OwnerTable, "table" | "condition"> & Pick<ExportedTable, "paged">,
  row: Sql,
  ownerId: string,
): AsyncGenerator<string[]> {
  const from = sql`FROM ${identifier(table)} t WHERE ${condition(ownerId)}`;
  if (!paged) {
    const { rows } = await runLongStatement(sql<{ json: string }>`SELECT ${row} AS json ${from}`);
    yield rows.map(({ json }) => json);
    return;
  }
  const keys = paged.columns.map((name) => identifier(`t.${name}`));
  let after: string[] | undefined;
  do {
    const last = after?.map((it) => sql`${it}`);
    const wanted = and([paged.only, last && sql`(${list(keys)}) > (${list(last)})`]);
    const { rows } = await runLongStatement(sql<{ json: string; at: string[] }>`
      SELECT ${row} AS json, ARRAY[${list(keys.map((it) => sql`${it}::text`))}] AS at
      ${from} AND ${wanted}
      ORDER BY ${list(keys)} LIMIT ${literal(size)}`);
    yield rows.map(({ json }) => json);
    after = rows.length === size ? rows.at(-1)?.at : undefined;
  } while (after);
}
