import { alias, identifier, list, type Sql, sql } from "./sql";

/** Which columns of a table an owner takes along, and in which order they are read. */
type Taken = {
  columns: readonly string[];
  /**
   * For tables that grow, which are read page by page: the columns by which an index of the owner's rows is ordered, the last
   * of them no two rows' same.
   */
  paged?: { by: readonly string[]; only?: Sql };
};

/**
 * A table that holds something of an owner's: which rows go when they leave, and what of these they take along. Every domain
 * names its own in `owner-tables.ts`; `lib/owner-data` knows them all.
 */
export type OwnerTable = {
  table: string;
  /** Which rows `t`; those that name the owner unless told. */
  whose?: (ownerId: string) => Sql;
} & (
  | {
      /** Secrets and what they are checked with; what is only on its way; and what is told already in other words. */
      withheld: "whole";
    }
  /** `withheld`: the columns that stay here, for the same reasons. */
  | (Taken & { withheld: readonly string[] })
);

/** A list in the file that an owner takes along: rows of one table. */
export type ExportedTable = Extract<OwnerTable, Taken>;

/** The rows `t` of an owner. */
export const ownedBy = (ownerId: string): Sql => sql`t.owner_id = ${ownerId}`;

/** Columns, with white space between them. */
export const columnNames = (text: string): readonly string[] => text.trim().split(/\s+/);

/** A row `t` as a line of JSON: `created_at` is `createdAt`. */
export const rowAsJson = ({ columns }: Pick<ExportedTable, "columns">): Sql =>
  sql`(SELECT row_to_json(r)::text FROM (SELECT ${list(columns.map((name) => sql`${identifier(`t.${name}`)} AS ${alias(camel(name))}`))}) AS r)`;

const camel = (name: string) => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
