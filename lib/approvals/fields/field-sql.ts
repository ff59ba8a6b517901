import { type Sql, sql } from "@/lib/database/sql";

/**
 * SQL: whether an answer to an approval `a` has values if its option takes fields, and none
 * otherwise.
 * @param hasValues SQL: whether the answer has values
 * @param optionId SQL: the ID of the chosen option, if any
 */
export const isComplete = (hasValues: Sql, optionId: Sql): Sql => sql`(
  CASE
    WHEN a.fields IS NULL THEN NOT ${hasValues}
    ELSE ${hasValues} = EXISTS (
      SELECT FROM json_array_elements(a.options) AS o
      WHERE o ->> 'id' = ${optionId} AND o ->> 'fields' = 'true'
    )
  END
)`;
