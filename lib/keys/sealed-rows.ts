import { identifier, type Sql, sql } from "@/lib/sql";

/** A table with things that a data key closes, which a rotation moves to the next key: `lib/cli/sealed.ts` names them all. */
export type SealedRows = {
  table: string;
  /** The column by which rows are known. */
  id: string;
  /** What a row `s` is bound to, before the key: an array, as SQL. */
  about: Sql;
  from: Sql;
};

/** What is sealed is bound to: what it belongs to, and the key. Unambiguous whatever stands in it. */
export const boundTo = (about: readonly string[], keyId: string): string => JSON.stringify([...about, keyId]);

/** Whether anything uses a key `k`, as SQL. @param sealed everything that is closed with keys */
export const keyUsed = (sealed: readonly SealedRows[]): Sql =>
  sql`(${sealed
    .map(({ table }) => sql`EXISTS (SELECT FROM ${identifier(table)} s WHERE s.key_id = k.id)`)
    .reduce((some, one) => sql`${some} OR ${one}`)})`;
