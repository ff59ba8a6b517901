import { type Executor, identifier, list, type Sql, sql } from "@/lib/database/sql";
import { columnsInFile } from "./columns-in-file";
import { OwnerFileError } from "./file-header";
import type { FileTable } from "./tables-in-file";

/** What to do with each table's rows, prepared once per file. */
export type RowInserter = (rows: string[]) => Promise<void>;

/**
 * Returns a function that inserts a table's rows, which are lines of JSON. The values of a line are
 * never parsed here, so that numbers and the text of JSON columns stay as they are.
 * @param name the table's name in the file
 */
export async function rowInserter(tx: Executor, name: string, table: FileTable): Promise<RowInserter> {
  const known = await columnsInFile(table, tx);
  const into = identifier(table.of.table);
  return async (rows) => {
    const inFile = Object.keys(JSON.parse(rows[0] ?? "{}"));
    const columns = known.filter((it) => inFile.includes(it.name));
    const unknown = inFile.find((it) => !known.some((one) => one.name === it));
    if (unknown !== undefined)
      throw new OwnerFileError(
        `The file's table ${name} has the column ${unknown}, which this version of Countersign does not know.`,
      );
    const targets = columns.map(({ column }) => identifier(column));
    // The statement differs for each file, so it is not worth preparing.
    const written = await sql`
      INSERT INTO ${into} (${list(targets)})
      SELECT ${list(columns.map(({ column }) => identifier(`r.${column}`)))}
      FROM json_array_elements(${`[${rows.join(",")}]`}::"json") AS line(value)
        CROSS JOIN LATERAL json_populate_record(NULL::${into}, (
          SELECT json_object_agg(named.column_name, field.value)
          FROM json_each(line.value) AS field
            JOIN unnest(
              ${columns.map((it) => it.name)}::text[], ${columns.map((it) => it.column)}::text[]
            ) AS named(name, column_name) ON named.name = field.key
        )) AS r
      ${onConflict(table, targets)}`.run(tx);
    if (written < rows.length && table.existing !== "keep") throw alreadyThere(name);
  };
}

/** A deleted app without an owner takes the place of an app until its owner's file is imported. */
function onConflict({ existing, of }: FileTable, targets: Sql[]): Sql {
  if (existing === "keep") return sql`ON CONFLICT (id) DO NOTHING`;
  if (existing !== "replace placeholder") return sql``;
  const row = identifier(of.table);
  return sql`
    ON CONFLICT (id) DO UPDATE
    SET (${list(targets)}) = ROW(${list(targets.map((target) => sql`excluded.${target}`))})
    WHERE ${row}.owner_id IS NULL AND ${row}.deleted_at IS NOT NULL`;
}

/** Returns the error for a row that another account's data contains. */
export const alreadyThere = (what: string) =>
  new OwnerFileError(`This service already has some of the file's data (${what}), so nothing was imported.`);
