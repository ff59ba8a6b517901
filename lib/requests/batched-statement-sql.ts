import type { PoolClient } from "pg";
import type { Actor } from "@/lib/actor";
import { empty, type Sql, sql } from "@/lib/database/sql";
import { type CallerRow, callerRelation, callersRelation, isAllowed } from "../access/authorization";
import { tokenKey } from "../access/grant-cache";

/*
 * The SQL around a batched operation. The statement authorizes the callers, does the operation's
 * work for the authorized requests, and returns a row for each request.
 */

type Types = "text" | "boolean" | "int" | "bigint" | "float8" | "json";
/** The input of a request for SQL. Values remain JSON, and times are in epoch milliseconds. */
export type Input = Record<string, unknown>;

/** The SQL of an operation: `read` if the operation only reads, or else `work`. */
export type StatementParts<In extends Input> = {
  /** The fields of the input, with their SQL types. */
  fields: { readonly [name in keyof In]: Types };
} & (Reads | Works);

type Reads = {
  /**
   * Returns a SELECT that returns one row for an authorized request `r`, whose columns are those of
   * `asked`.
   */
  read: () => Sql;
  work?: never;
  direct?: never;
};
type Works = {
  read?: never;
  /**
   * Returns CTEs that read from `asked`, which contains the authorized requests with `n`, their
   * fields, and the columns of `callerRelation`. The last CTE is `done`, with the result for each
   * `n`.
   * @param isBatch whether there can be more than one request
   */
  work: (isBatch: boolean) => Sql;
  /**
   * A shorter form of `work` for a single request, because PostgreSQL takes longer to plan a long
   * statement than to process its rows. It does everything or nothing. If its `done` is empty, it
   * has written nothing; `work` then runs and returns the reason.
   */
  direct?: () => Sql;
};

export type BatchedRequest<In> = { actor: Actor; input: In; text?: string };
/** The result of a request. Undefined if the request's token is invalid. */
export type Reported<Row> = (Row & CallerRow) | undefined;

/** Returns a request's input as JSON text, which is created only once. */
export const inputText = <In>(request: BatchedRequest<In>) => (request.text ??= JSON.stringify(request.input));

/** The statements for one request and for several requests. */
export type StatementForms<In, Row> = {
  /** Returns the statement for one request. The row's `n` is null if there is no result. */
  one(request: BatchedRequest<In>): Sql<Row & CallerRow & { n: number | null }>;
  /** Runs one request. Tries `direct` first, if the operation has it. */
  alone(request: BatchedRequest<In>, client?: PoolClient): Promise<Reported<Row>>;
  /**
   * Returns the statement for several requests. A row's `n` is the position of its request,
   * starting at 1.
   */
  batch(requests: readonly BatchedRequest<In>[]): Sql<Row & CallerRow & { n: number }>;
};

/** Returns the statements of an operation. The text around their values is built only once. */
export function statementForms<In extends Input, Row extends object>(
  parts: StatementParts<In>,
): StatementForms<In, Row> {
  const { fields } = parts;
  const names = Object.keys(fields);
  const given = template(names.map((name) => `::${typeName(fields[name])} AS "${name}"`));
  const declared = template([], `n int, k int${names.map((name) => `, "${name}" ${typeName(fields[name])}`).join("")}`);
  const columns = template([], names.map((name) => `, q."${name}"`).join(""));
  const read = parts.read?.();
  const [runAlone, amongOthers, first] = parts.work
    ? [parts.work(false), parts.work(true), parts.direct?.()]
    : [empty, readEach(parts.read())];
  const asked = sql`asked AS NOT MATERIALIZED (SELECT * FROM request WHERE allowed)`;

  const requestBy = ({ actor, input }: BatchedRequest<In>) => {
    const values = names.map((name) => parameter(input[name], fields[name]));
    return sql`
      SELECT 1 AS n, who.*, ${isAllowed(actor)} AS allowed, ${sql(given, ...values)}
      FROM (${callerRelation(actor)}) AS who`;
  };
  const oneBy = (does: Sql, request: BatchedRequest<In>) => sql<Row & CallerRow & { n: number | null }>`
    WITH request AS (${requestBy(request)}), ${asked}, ${does}
    SELECT done.*, ${callerColumns} FROM request r LEFT JOIN done ON done.n = r.n`;
  // OFFSET 0 keeps PostgreSQL from computing the scopes again each time they are used.
  const readOne = (request: BatchedRequest<In>, read: Sql) => sql<Row & CallerRow & { n: number | null }>`
    SELECT found.*, ${callerColumns}
    FROM (${requestBy(request)} OFFSET 0) AS r LEFT JOIN LATERAL (${read}) AS found ON r.allowed`;
  const one = (request: BatchedRequest<In>) => (read ? readOne(request, read) : oneBy(runAlone, request));
  const alone = async (request: BatchedRequest<In>, client?: PoolClient) => {
    if (!first) return one(request).row(client);
    const row = await oneBy(first, request).row(client);
    return row?.held === null && row.n === null ? one(request).row(client) : row;
  };
  const batch = (requests: readonly BatchedRequest<In>[]): Sql<Row & CallerRow & { n: number }> => {
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
        SELECT q.n, who.*, ${isAllowed(actor)} AS allowed${sql(columns)}
        FROM json_to_recordset(${`[${texts.join(",")}]`}::"json") AS q(${sql(declared)})
          JOIN who ON who.k = q.k
        ORDER BY q.n
      ), ${asked}, ${amongOthers}
      SELECT done.*, r.n, ${callerColumns} FROM request r LEFT JOIN done ON done.n = r.n`;
  };
  return { one, alone, batch };
}

/** Returns a type's name. SPQR accepts `json` only in quotes (lib/testing/sql-for-spqr.test.ts). */
const typeName = (type: string | undefined) => (type === "json" ? '"json"' : type);

/** SQL: the result of a read for each authorized request. */
const readEach = (read: Sql) => sql`done AS MATERIALIZED (
  SELECT r.n, found.* FROM asked r CROSS JOIN LATERAL (${read}) AS found
)`;

/** SQL: the columns of `CallerRow`, from a request `r`. */
const callerColumns = sql`r.grant_id, r.owner_id, r.app_id, r.wrong_audience, r.frozen,
  CASE WHEN NOT r.allowed THEN r.scopes END AS held`;

/** Returns a key for the caller. Callers with the same key have the same rights. */
export const callerKey = (actor: Actor) => (actor.kind === "app" ? tokenKey(actor) : actor.ownerId);

/** Returns the text around a statement's values, which is built once for each operation. */
const template = (after: readonly string[], before = ""): TemplateStringsArray =>
  Object.assign([before, ...after.map((text, index) => (index < after.length - 1 ? `${text}, ` : text))], { raw: [] });

const parameter = (value: unknown, type: Types | undefined) =>
  value === undefined ? null : type === "json" ? JSON.stringify(value) : (value as string | number | boolean | null);
