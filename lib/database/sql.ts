import { createHash } from "node:crypto";
import type { ClientBase } from "pg";
import { pool, type Transaction } from "./db";
import { retryOnConflict } from "./retry-conflict";

/*
 * SQL should be readable as SQL, and no value may become part of its text. In `WHERE id = ${id}`, a
 * value always becomes a parameter. A nested piece of SQL becomes part of the text. The text is
 * cached by its templates and named by its hash, so the pool can use it as a prepared statement.
 */

type Scalar = string | number | bigint | boolean | Date | Uint8Array | null;
/** A parameter's type. JSON is passed as text. */
export type Value = Scalar | readonly Scalar[];

class SqlFragment<Row extends object = object> {
  constructor(
    readonly strings: readonly string[],
    readonly values: readonly (SqlFragment | Value)[] = [],
    /** Whether the statement has too many variants to be prepared. */
    readonly varies = false,
  ) {}

  /**
   * Returns the rows. A 64-bit number is a bigint in Prisma's transactions, and text everywhere
   * else.
   */
  async rows(on?: Executor): Promise<Row[]> {
    const it = statement(this);
    if (on && !("query" in on)) return on.$queryRawUnsafe<Row[]>(it.text, ...it.values);
    return (await query(it, on)).rows as Row[];
  }

  /** Returns the first row, if any. */
  async row(on?: Executor): Promise<Row | undefined> {
    return (await this.rows(on))[0];
  }

  /** Returns the rows and the row count. The statement is its own transaction. */
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
 * A piece of SQL with its values: a whole statement that returns rows of this type, or a part of a
 * statement.
 */
export type Sql<Row extends object = object> = SqlFragment<Row>;

export const sql = <Row extends object = object>(strings: TemplateStringsArray, ...values: (Sql | Value)[]): Sql<Row> =>
  new SqlFragment<Row>(strings, values);

/** Empty SQL, in place of an optional part. */
export const empty = sql``;

const once = <Key, T>(made: Map<Key, T>, key: Key, make: () => T): T => {
  let it = made.get(key);
  if (it === undefined) made.set(key, (it = make()));
  return it;
};

const constants = new Map<string, Sql>();
const constant = (text: string) => once(constants, text, () => new SqlFragment([text]));

/**
 * Inserts a program constant into the text, so each value makes a separate statement.
 * @throws {Error} unless the text has only letters, digits, spaces and `_.,:/-`
 */
export function literal(value: string | number): Sql {
  if (typeof value === "number" ? !Number.isSafeInteger(value) : !/^[\w .,:/-]*$/.test(value))
    throw new Error(`${JSON.stringify(value)} cannot be inlined in SQL`);
  return constant(typeof value === "number" ? String(value) : `'${value}'`);
}

/**
 * Inserts a table or column name, possibly qualified: `a.created_at`.
 * @throws {Error} for anything else
 */
export function identifier(name: string): Sql {
  if (!/^[a-z_][a-z0-9_]*(\.[a-z_][a-z0-9_]*)*$/.test(name))
    throw new Error(`${JSON.stringify(name)} is not a valid SQL name`);
  return constant(name);
}

/** Inserts the name of a result column. @throws {Error} for anything but letters */
export function alias(name: string): Sql {
  if (!/^[a-z]+$/i.test(name)) throw new Error(`${JSON.stringify(name)} is not a valid SQL name`);
  return constant(`"${name}"`);
}

/** SQL: a time in epoch milliseconds. @param column see `identifier` */
export const epochMs = (column: string): Sql => sql`(
  extract(epoch FROM ${identifier(column)}) * 1000
)::float8`;

const separators = new Map<string, readonly string[]>();
/** Joins pieces with commas. */
export const list = (pieces: readonly Sql[]): Sql => joined(pieces, ", ");

/**
 * Joins the present conditions with AND. A statement with any of them is not prepared, because it
 * has many variants.
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
 * Returns the text with numbered parameters, its values in that order, and its name if it is to be
 * prepared.
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
  return varies ? { text } : { text, name: `sql_${createHash("sha256").update(text).digest("base64url")}` };
}

/**
 * The transaction that a statement belongs to: a connection's transaction or Prisma's. Without one,
 * the statement runs on the pool as its own transaction.
 */
export type Executor = Pick<ClientBase, "query"> | Pick<Transaction, "$queryRawUnsafe" | "$executeRawUnsafe">;

/**
 * Runs a statement. Without a connection, the statement is its own transaction and is retried once
 * after a conflict.
 */
const query = (prepared: Statement, on?: Pick<ClientBase, "query">) =>
  on ? on.query(prepared) : retryOnConflict(() => pool().query(prepared));

/** Removes NULL columns from a row, because its type declares them as optional. */
export const omitNulls = <Row extends object>(row: Row): Row =>
  Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)) as Row;
