import { runAuthorized } from "@/lib/access/authorization";
import type { Actor } from "@/lib/actor";
import { sql } from "@/lib/database/sql";
import { badRequest } from "@/lib/errors";
import type { Answer } from "../schema";
import type { Fields } from "./field-schema";
import { type FieldValues, readValues } from "./field-values";
import { valuesFromForm } from "./form-values";
import { hasNone } from "./schema";
import { readFields, type StoredFields } from "./stored-fields";

/** The maximum number of problems listed in one error. */
const maxProblems = 20;

/**
 * Checks the values of an answer against the question's fields.
 * @returns the values, in the order of the fields
 * @throws {AppError} 400 that names each missing, unknown or invalid value
 */
export function checkValues(fields: Fields, given: Record<string, unknown>): FieldValues {
  const { values, problems } = readValues(fields, given);
  if (problems.size === 0) return values;
  const details = [...problems].map(([name, message]) => ({ path: `values.${name}`, message }));
  throw badRequest(details.slice(0, maxProblems));
}

/**
 * Checks an answer's values against the question's fields, which never change. An answer without
 * values needs no check here: the statement that records the answer rejects missing values.
 * @param typed the texts of the fields' controls, if a form without scripts was sent. They count
 *   only if the option takes fields
 * @returns the values in the order of the fields; undefined if the answer has none
 * @throws {AppError} 400 that names each missing, unknown or invalid value
 */
export async function checkedValues(
  actor: Actor,
  id: string,
  { values, optionId }: Answer,
  typed: Readonly<Record<string, string>> = {},
): Promise<FieldValues | undefined> {
  if (values === undefined && Object.keys(typed).length === 0) return undefined;
  const { stored, takes } = await runAuthorized<{ stored: StoredFields | null; takes: boolean | null }>(actor, {
    result: sql`(SELECT fields FROM found) AS stored, (SELECT takes FROM found) AS takes`,
    work: sql`found AS (
      SELECT a.fields,
        EXISTS (
          SELECT FROM json_array_elements(a.options) AS o
          WHERE o ->> 'id' = ${optionId ?? ""} AND o ->> 'fields' = 'true'
        ) AS takes
      FROM approval a JOIN caller c ON a.owner_id = c.owner_id
        AND (c.app_id IS NULL OR a.app_id = c.app_id)
      WHERE a.id = ${id}
    )`,
  });
  // Without fields or without the approval, the statement returns the reason. Generated clients send
  // an empty object for values that a program did not set.
  if (!takes && values && hasNone(values)) return undefined;
  if (!stored) return values as FieldValues | undefined;
  const fields = readFields(stored);
  if (values !== undefined) return checkValues(fields, values);
  return takes ? checkValues(fields, valuesFromForm(fields, typed)) : undefined;
}
