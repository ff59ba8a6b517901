import type { OwnerActor } from "@/lib/actor";
import { clock } from "@/lib/clock";
import { runLongStatement } from "@/lib/database/long-statement";
import { type ExportedTable, ownedBy, rowAsJson } from "@/lib/database/owner-data-table";
import { and, identifier, list, literal, sql } from "@/lib/database/sql";
import { exportedTables } from "./exported-and-deleted-tables";

/** Rows per page. */
const size = 500;

/**
 * Streams all of the owner's data as one JSON object. Times are in ISO 8601. Lists are read one
 * after another, so a concurrent change may appear in only some of them.
 */
export async function* exportData({ ownerId }: OwnerActor): AsyncGenerator<string> {
  yield `{"exportedAt":${JSON.stringify(new Date(clock.now()).toISOString())}`;
  for (const [name, part] of Object.entries(exportedTables)) {
    yield `,\n\n${JSON.stringify(name)}:[`;
    let first = true;
    for await (const rows of pages(part, ownerId)) {
      if (rows.length > 0) yield `${first ? "\n" : ",\n"}${rows.join(",\n")}`;
      if (rows.length > 0) first = false;
    }
    yield "]";
  }
  yield "}\n";
}

async function* pages(
  { table, columns, condition = ownedBy, paged }: ExportedTable,
  ownerId: string,
): AsyncGenerator<string[]> {
  const row = rowAsJson({ columns });
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
