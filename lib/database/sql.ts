import { createHash } from "node:crypto";
import type { ClientBase, QueryResult } from "pg";
import { pool, type Transaction } from "./db";
import { PreparedQuery, preparedNames } from "./prepared-query";
import { retryOnConflict } from "./retry-conflict";
import { sendToShard } from "./shards/directory-copies";
import { admitOn } from "./shards/statement-routing";

/*
 * SQL should be readable as SQL, and no value may become part of its text. In `WHERE id = ${id}`, a
 * value always becomes a parameter, and a nested piece of SQL becomes part of the text. The text is
 * cached by its templates and named by its hash, so that the pool can use it as a prepared
 * statement.
 */

type Scalar = string | number | bigint | boolean | Date | Uint8Array | null;
/** The type of a parameter. JSON is passed as text. */
export type Value = Scalar | readonly Scalar[];

class SqlFragment<Row extends object = object> {
  constructor(
    readonly strings: readonly string[],
    readonly values: readonly (SqlFragment | Value)[] = [],
    /** Whether the statement has too many variants to be worth preparing. */
    readonly varies = false,
  ) {}

  /**
   * Runs the statement and returns the rows. A 64-bit number is a bigint in Prisma's transactions,
   * and a string everywhere else.
   */
  async rows(on?: Executor): Promise<Row[]> {
    const it = statement(this);
    if (on && !("query" in on)) return on.$queryRawUnsafe<Row[]>(it.text, ...it.values);
    return (await query(it, on)).rows as Row[];
  }

  /** Runs the statement and returns the first row, if any. */
  async row(on?: Executor): Promise<Row | undefined> {
    return (await this.rows(on))[0];
  }

  /** Runs the statement as its own transaction, and returns the rows and the row count. */
  async result(): Promise<{ rows: Row[]; count: number }> {
    const { rows, rowCount } = await query(statement(this));
    return { rows: rows as Row[], count: rowCount ?? 0 };
  }

  /** Runs the statement. @returns the number of written rows */
  async run(on?: Executor): Promise<number> {
    const it = statement(this);
    if (on && !("query" in on)) return on.$executeRawUnsafe(it.text, ...it.values);
    return (await query(it, on)).rowCount ?? 0;
  }
}

/**
 * A piece of SQL with its values: a part of a statement, or a whole statement that returns rows of
 * the type `Row`.
 */
export type Sql<Row extends object = object> = SqlFragment<Row>;

export const sql = <Row extends object = object>(strings: TemplateStringsArray, ...values: (Sql | Value)[]): Sql<Row> =>
  new SqlFragment<Row>(strings, values);

/** Empty SQL, for an optional part that is absent. */
export const empty = sql``;

const once = <Key, T>(made: Map<Key, T>, key: Key, make: () => T): T => {
  let it = made.get(key);
  if (it === undefined) made.set(key, (it = make()));
  return it;
};

const constants = new Map<string, Sql>();
const constant = (text: string) => once(constants, text, () => new SqlFragment([text]));

/**
 * Inserts a constant from the program into the text. Each value makes a separate statement.
 * @throws {Error} unless the text has only letters, digits, spaces and `_.,:/-`
 */
export function literal(value: string | number): Sql {
  if (typeof value === "number" ? !Number.isSafeInteger(value) : !/^[\w .,:/-]*$/.test(value))
    throw new Error(`${JSON.stringify(value)} cannot be inlined in SQL`);
  return constant(typeof value === "number" ? String(value) : `'${value}'`);
}

/**
 * Inserts a table or column name, which may be qualified, like `a.created_at`.
 * @throws {Error} for anything else
 */
export function identifier(name: string): Sql {
  if (!/^[a-z_][a-z0-9_]*(\.[a-z_][a-z0-9_]*)*$/.test(name))
    throw new Error(`${JSON.stringify(name)} is not a valid SQL name`);
  return constant(name);
}

/**
 * Inserts a result column's name.
 * @throws {Error} unless the name has only letters and digits
 */
export function alias(name: string): Sql {
  if (!/^[a-z][a-z0-9]*$/i.test(name)) throw new Error(`${JSON.stringify(name)} is not a valid SQL name`);
  return constant(`"${name}"`);
}

/**
 * Returns SQL for a time column in epoch milliseconds.
 * @param column see `identifier`
 */
export const epochMs = (column: string): Sql => sql`(
  extract(epoch FROM ${identifier(column)}) * 1000
)::float8`;

const separators = new Map<string, readonly string[]>();
/** Joins pieces with commas. */
export const list = (pieces: readonly Sql[]): Sql => joined(pieces, ", ");

/**
 * Joins the conditions that are present with AND. If there are any, the statement has many variants
 * and is therefore not prepared.
 */
export function and(conditions: readonly (Sql | "" | false | null | undefined)[]): Sql {
  const present = conditions.filter((it) => it instanceof SqlFragment);
  return joined([sql`true`, ...present], " AND ", present.length > 0);
}

const joined = (pieces: readonly Sql[], separator: string, varies = false) =>
  new SqlFragment(
    once(separators, `${pieces.length}${separator}`, () => ["", ...pieces.slice(1).map(() => separator), ""]),
    pieces,
    varies,
  );

type Statement = { name?: string; text: string; values: unknown[] };
type Shape = { next: Map<unknown, Shape>; made?: Omit<Statement, "values"> };

/**
 * A tree that caches statements by shape. Each step is a template's strings, or `"value"` for a
 * parameter.
 */
const shapes: Shape = { next: new Map() };
const step = (shape: Shape, key: unknown) => once(shape.next, key, () => ({ next: new Map() }));

/**
 * Returns the text with numbered parameters, the values in that order, and the statement's name if
 * it should be prepared.
 */
export function statement(piece: Sql): Statement {
  const values: unknown[] = [];
  const shape = resolveShape(piece, values, shapes);
  const { name, text } = (shape.made ??= make(piece));
  return name === undefined ? { text, values } : { name, text, values };
}

function resolveShape(piece: Sql, values: unknown[], from: Shape): Shape {
  let shape = step(from, piece.strings);
  for (const value of piece.values) {
    if (value instanceof SqlFragment) shape = resolveShape(value, values, shape);
    else {
      values.push(value);
      shape = step(shape, "value");
    }
  }
  return shape;
}

function make(whole: Sql): Omit<Statement, "values"> {
  let [parameters, varies] = [0, false];
  const write = (piece: Sql): string => {
    varies ||= piece.varies;
    return piece.strings.reduce((text, rest, index) => {
      const value = piece.values[index - 1];
      return text + (value instanceof SqlFragment ? write(value) : `$${++parameters}`) + rest;
    });
  };
  const text = write(whole);
  if (varies) return { text };
  const name = `sql_${createHash("sha256").update(text).digest("base64url")}`;
  preparedNames.set(text, name);
  return { text, name };
}

/**
 * The transaction in which a statement runs, on a connection or through Prisma. A statement without
 * one runs on the pool as its own transaction.
 */
export type Executor = Pick<ClientBase, "query"> | Pick<Transaction, "$queryRawUnsafe" | "$executeRawUnsafe">;

/**
 * Runs a statement. Without a connection, the statement is its own transaction and is retried once
 * after a conflict.
 */
const query = (it: Statement, on?: Pick<ClientBase, "query">): Promise<QueryResult> =>
  on
    ? send(it, on)
    : retryOnConflict(() => sendToShard(it, (shard) => pool(shard).query(preparedFrom(it)) as Promise<QueryResult>));

const preparedFrom = ({ name, text, values }: Statement) =>
  name === undefined ? { text, values } : new PreparedQuery(name, text, values);

/** Runs a statement on a connection, which returns no promise for a `PreparedQuery`. */
async function send(it: Statement, on: Pick<ClientBase, "query">): Promise<QueryResult> {
  admitOn(on, it);
  const prepared = preparedFrom(it);
  if (!(prepared instanceof PreparedQuery)) return on.query(prepared);
  try {
    return await new Promise((resolve, reject) => {
      const callback = (error: Error | null, result: QueryResult) => (error ? reject(error) : resolve(result));
      on.query(prepared, callback as never);
    });
  } catch (error) {
    // The error's own stack begins at the socket, and this one includes the caller.
    if (error instanceof Error) Error.captureStackTrace(error);
    throw error;
  }
}

/** Removes the columns that are NULL from a row, because its type declares them as optional. */
export const omitNulls = <Row extends object>(row: Row): Row =>
  Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)) as Row;
