import { type Executor, sql } from "@/lib/database/sql";
import type { FileTable } from "./tables-in-file";

/** A column, and its name in the file. */
export type FileColumn = { column: string; name: string };

/** Returns a table's columns in the file. The database computes generated columns again. */
export async function columnsInFile({ of, omits = [], only }: FileTable, on?: Executor) {
  const rows = await sql<{ name: string }>`
    SELECT attname::text AS name
    FROM pg_attribute
    WHERE attrelid = to_regclass(${of.table})
      AND attnum > 0 AND NOT attisdropped AND attgenerated = ''
    ORDER BY attnum`.rows(on);
  return rows
    .map((row) => row.name)
    .filter((column) => !omits.includes(column) && (only?.includes(column) ?? true))
    .map((column): FileColumn => ({ column, name: camel(column) }));
}

const camel = (name: string) => name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
