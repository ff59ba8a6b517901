import { runAuthorized } from "@/lib/access/authorization";
import type { Actor } from "@/lib/actor";
import { sql } from "@/lib/database/sql";
import type { Answer } from "../schema";
import { checkValues, type FieldValues } from "./field-values";
import { readFields, type StoredFields } from "./stored-fields";

/**
 * Checks an answer's values against the question's fields, which never change. An answer without
 * values needs no check here: the statement that records the answer rejects missing values.
 * @returns the values in the order of the fields; undefined if the answer has none
 * @throws {AppError} 400 that names each missing, unknown or invalid value
 */
export async function checkedValues(actor: Actor, id: string, { values }: Answer): Promise<FieldValues | undefined> {
  if (values === undefined) return undefined;
  const { stored } = await runAuthorized<{ stored: StoredFields | null }>(actor, {
    result: sql`(
      SELECT a.fields
      FROM approval a
      WHERE a.id = ${id}
        AND a.owner_id = who.owner_id
        AND (who.app_id IS NULL OR a.app_id = who.app_id)
    ) AS stored`,
  });
  // Without fields or without the approval, the statement returns the reason.
  return stored ? checkValues(readFields(stored), values) : (values as FieldValues);
}
