import { identifier, type Sql, sql } from "@/lib/sql";

/*
 * A table that keeps something encrypted with a data key is a line here, so that rotations move it.
 */

/** A table with things that a data key closes, which a rotation moves to the next key. */
export type SealedRows = {
  table: string;
  /** The column by which rows are known. */
  id: string;
  /** What a row `s` is bound to, before the key: an array, as SQL. */
  about: Sql;
  from: Sql;
};

/** Every one of them: a key is only deleted when none of these uses it. */
export const sealedRows: readonly SealedRows[] = [
  {
    table: "integration_secret",
    id: "integration_id",
    about: sql`ARRAY[i.id, i.owner_id, i.provider]`,
    from: sql`integration_secret s JOIN integration i ON i.id = s.integration_id`,
  },
  { table: "webhook_secret", id: "id", about: sql`ARRAY['webhook', s.endpoint_id, s.id]`, from: sql`webhook_secret s` },
];

/** What is sealed is bound to: what it belongs to, and the key. Unambiguous whatever stands in it. */
export const boundTo = (about: readonly string[], keyId: string): string => JSON.stringify([...about, keyId]);

/** Whether anything uses a key `k`, as SQL. */
export const keyUsed: Sql = sql`(${sealedRows
  .map(({ table }) => sql`EXISTS (SELECT FROM ${identifier(table)} s WHERE s.key_id = k.id)`)
  .reduce((some, one) => sql`${some} OR ${one}`)})`;
