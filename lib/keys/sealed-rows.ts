/*
 * A domain that keeps something encrypted with a data key exports such a line, and lib/cli/sealed.ts joins them, so that
 * rotations move all of it.
 */

/** A table with things that a data key closes, which a rotation moves to the next key. */
export type SealedRows = {
  table: string;
  /** The column by which rows are known. */
  id: string;
  /** What a row `s` is bound to, before the key: an array, as SQL. */
  about: string;
  from: string;
};

/** What is sealed is bound to: what it belongs to, and the key. Unambiguous whatever stands in it. */
export const boundTo = (about: readonly string[], keyId: string): string => JSON.stringify([...about, keyId]);

/** Whether anything uses a key, as SQL. @param sealed everything that is closed with keys @param key the key's id, as SQL */
export const keyUsed = (sealed: readonly SealedRows[], key: string): string =>
  `(${sealed.map(({ table }) => `EXISTS (SELECT FROM ${table} s WHERE s.key_id = ${key})`).join(" OR ")})`;
