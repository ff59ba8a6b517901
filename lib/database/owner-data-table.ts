import { alias, identifier, list, type Sql, sql } from "./sql";

/** The columns of a table in an owner's export, in order. */
type ExportedColumns = {
  columns: readonly string[];
  /**
   * For tables that grow and are read in pages: the columns that order an index of the owner's
   * rows. The last column is unique.
   */
  paged?: { columns: readonly string[]; only?: Sql };
};

/**
 * A table with owners' data: which rows are deleted with the account, and which columns the export
 * contains. Every domain lists its tables in an `owner-data-tables.ts`, and `lib/owner-data`
 * collects these lists.
 */
export type OwnerTable = {
  table: string;
  /** The condition for the owner's rows `t`; by default, those with the owner's ID. */
  condition?: (ownerId: string) => Sql;
} & (
  | {
      /**
       * Set if no column is exported, because the table holds secrets or their hashes, data in
       * transit, or data that the export has in another form.
       */
      withheld: "whole";
    }
  /** `withheld`: the columns that the export omits, for the same reasons. */
  | (ExportedColumns & { withheld: readonly string[] })
);

/** A table whose rows the owner's export contains. */
export type ExportedTable = Extract<OwnerTable, ExportedColumns>;

/** SQL: selects an owner's rows `t`. */
export const ownedBy = (ownerId: string): Sql => sql`t.owner_id = ${ownerId}`;

/** Splits column names at white space. */
export const columnNames = (text: string): readonly string[] => text.match(/\S+/g) ?? [];

/**
 * Returns all columns except the withheld ones, from the names of their fields in Prisma. Use it
 * only for tables without secrets, because a new column is exported too.
 */
export function allBut(withheld: string, fields: Record<string, string>) {
  const names = Object.keys(fields).map((field) => field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));
  const left = columnNames(withheld);
  return { columns: names.filter((name) => !left.includes(name)), withheld: left };
}

/** SQL: a row `t` as one line of JSON, with `created_at` as `createdAt`. */
export function rowAsJson({ columns }: Pick<ExportedTable, "columns">): Sql {
  const renamed = columns.map((name) => sql`${identifier(`t.${name}`)} AS ${alias(camel(name))}`);
  return sql`(SELECT row_to_json(r)::text FROM (SELECT ${list(renamed)}) AS r)`;
}

const camel = (name: string) => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
