import type { PoolClient } from "pg";
import type { Actor } from "@/lib/actor";
import { type Sql, sql } from "@/lib/database/sql";
import { type CallerRow, callerRelation, callersRelation, isAllowed } from "../access/authorization";
import { tokenKey } from "../access/grant-cache";

/*
 * The SQL around a batched operation. Its statement authorizes the callers, does the operation's
 * work for the authorized requests, and returns a row for each request.
 */

type Types = "text" | "boolean" | "int" | "bigint" | "float8" | "json";
/** A request's input: JSON is unchanged, and times are epoch milliseconds. */
export type Input = Record<string, unknown>;

/** An operation's SQL. */
export type StatementParts<In extends Input> = {
  /** The input fields of a request, with their SQL types. */
  fields: { readonly [name in keyof In]: Types };
  /**
   * CTEs that read from `asked`. It contains the authorized requests, with `n`, the fields, and the
   * columns that `caller` has in `act`. The last CTE is `done`, with the result for each `n`.
   * @param isBatch whether there can be more than one request
   */
  work: (isBatch: boolean) => Sql;
  /**
   * A shorter `work` for a request that comes alone, because PostgreSQL spends more on starting a
   * long plan than on its rows. `direct` does everything or nothing. If its `done` has no row, it
   * has written nothing, and `work` runs next and gives the reason.
   */
  direct?: () => Sql;
};

export type BatchedRequest<In> = { actor: Actor; input: In; text?: string };
/** A request's result, or undefined if its token is not live. */
export type Reported<Row> = (Row & CallerRow) | undefined;

/** A request's input as JSON, serialized once. */
export const inputText = <In>(request: BatchedRequest<In>) => (request.text ??= JSON.stringify(request.input));

/** The statements for one request and for several requests. */
export type StatementForms<In, Row> = {
  one(request: BatchedRequest<In>): Sql<Numbered<Row>>;
  /** Runs one request, first by `direct` if there is one. */
  alone(request: BatchedRequest<In>, client?: PoolClient): Promise<Reported<Row>>;
  batch(requests: readonly BatchedRequest<In>[]): Sql<Numbered<Row>>;
};
type Numbered<Row> = Row & CallerRow & { n: number; is_done: boolean };

/** The statements of an operation, whose templates are built once. */
export function statementForms<In extends Input, Row extends object>({
  fields,
  work,
  direct,
}: StatementParts<In>): StatementForms<In, Row> {
  const names = Object.keys(fields);
  const given = template(names.map((name) => `::${fields[name]} AS "${name}"`));
  const declared = template([], `n int, k int${names.map((name) => `, "${name}" ${fields[name]}`).join("")}`);
  const read = template([], names.map((name) => `, q."${name}"`).join(""));
  const [runAlone, amongOthers, first] = [work(false), work(true), direct?.()];
  const rest = (does: Sql) => sql`
    asked AS NOT MATERIALIZED (SELECT * FROM request WHERE allowed), ${does}
    SELECT done.*, done.n IS NOT NULL AS is_done, request.n, request.grant_id, request.owner_id,
      request.app_id, request.wrong_audience, request.allowed,
      CASE WHEN request.allowed THEN NULL ELSE request.scopes END AS held
    FROM request LEFT JOIN done ON done.n = request.n`;

  const oneBy = (does: Sql, { actor, input }: BatchedRequest<In>): Sql<Numbered<Row>> => {
    const values = names.map((name) => parameter(input[name], fields[name]));
    return sql`
      WITH who AS (${callerRelation(actor)}), request AS (
        SELECT 1 AS n, who.*, ${isAllowed(actor)} AS allowed, ${sql(given, ...values)}
        FROM who
      ), ${rest(does)}`;
  };
  const one = (request: BatchedRequest<In>) => oneBy(runAlone, request);
  const alone = async (request: BatchedRequest<In>, client?: PoolClient) => {
    if (!first) return one(request).row(client);
    const row = await oneBy(first, request).row(client);
    return row?.allowed && !row.is_done ? one(request).row(client) : row;
  };
  const batch = (requests: readonly BatchedRequest<In>[]): Sql<Numbered<Row>> => {
    const places = new Map<string, number>();
    const actors: Actor[] = [];
    const texts = requests.map((request, n) => {
      const key = callerKey(request.actor);
      let k = places.get(key);
      if (k === undefined) places.set(key, (k = actors.push(request.actor)));
      return `{"n":${n + 1},"k":${k},${inputText(request).slice(1)}`;
    });
    const [{ actor }] = requests as [BatchedRequest<In>];
    return sql`
      WITH who AS MATERIALIZED (${callersRelation(actors)}), request AS MATERIALIZED (
        SELECT q.n, who.*, ${isAllowed(actor)} AS allowed${sql(read)}
        FROM json_to_recordset(${`[${texts.join(",")}]`}::json) AS q(${sql(declared)})
          JOIN who ON who.k = q.k
        ORDER BY q.n
      ), ${rest(amongOthers)}`;
  };
  return { one, alone, batch };
}

/** Requests with the same key have the same rights. */
export const callerKey = (actor: Actor) => (actor.kind === "app" ? tokenKey(actor) : actor.ownerId);

/** The statement text around the values, built once per operation. */
const template = (after: readonly string[], before = ""): TemplateStringsArray =>
  Object.assign([before, ...after.map((text, index) => (index < after.length - 1 ? `${text}, ` : text))], { raw: [] });

const parameter = (value: unknown, type: Types | undefined) =>
  value === undefined ? null : type === "json" ? JSON.stringify(value) : (value as string | number | boolean | null);
