import type { OwnerActor } from "@/lib/actor";
import { clock } from "@/lib/clock";
import { env } from "@/lib/config/env";
import { alias, identifier, list, type Sql, sql } from "@/lib/database/sql";
import { hashKeyName, readSealedKeys } from "@/lib/keys/tables-in-owner-files";
import { pagesOf } from "../pages-of-rows";
import { columnsInFile, type FileColumn } from "./columns-in-file";
import { type FileHeader, format, version } from "./file-header";
import { type FileTable, tablesInFile } from "./tables-in-file";

/**
 * Writes an owner's data for `readOwnerFile`: a header, a line `["table",{row}]` for each row, and
 * the number of rows. Tables are read one after another, so the service should not run meanwhile.
 */
export async function* writeOwnerFile({ ownerId, email }: OwnerActor & { email: string }): AsyncGenerator<string> {
  const header: FileHeader = {
    ...{ format, version, ownerId, email },
    exportedAt: new Date(clock.now()).toISOString(),
    publicUrl: env().publicUrl,
    hashKey: hashKeyName(),
    retainedKeys: await readSealedKeys(),
  };
  yield `${JSON.stringify(header)}\n`;
  let rows = 0;
  for (const [name, table] of Object.entries(tablesInFile)) {
    const row = rowInFile(table, await columnsInFile(table));
    for await (const page of pagesOf(table.of, row, ownerId)) {
      rows += page.length;
      if (page.length > 0) yield page.map((line) => `["${name}",${line}]\n`).join("");
    }
  }
  yield `${JSON.stringify({ rows })}\n`;
}

/** SQL: a row `t` as one line of JSON. Values of the type json can contain line breaks. */
function rowInFile({ values = {} }: FileTable, columns: FileColumn[]): Sql {
  const named = columns.map(
    ({ column, name }) => sql`${values[column] ?? identifier(`t.${column}`)} AS ${alias(name)}`,
  );
  return sql`(
    SELECT translate(row_to_json(r)::text, ${"\r\n"}, '  ')
    FROM (SELECT ${list(named)}) AS r
  )`;
}
