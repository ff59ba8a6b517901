import { createHash } from "node:crypto";
import type { ClientBase } from "pg";
import { pool, type Transaction } from "./db";
import { retryOnConflict } from "./retry-conflict";

/*
 * How SQL is written here. In sql`SELECT … WHERE id = ${id}` a value becomes a parameter, whatever it holds, and another piece
 * of SQL becomes part of the text: pieces nest, and nobody numbers parameters or names statements. The text is put together
 * once for each way in which templates nest, found again by the templates themselves, and named by its hash: on the pool it is
 * a prepared statement. Prisma keeps the schema, the types, and plain rows by key.
 */

type Scalar = string | number | bigint | boolean | Date | Uint8Array | null;
/** What can be a parameter. JSON is passed as text. */
export type Value = Scalar | readonly Scalar[];

class SqlFragment<Row extends object = object> {
  constructor(
    readonly strings: readonly string[],
    readonly values: readonly (SqlFragment | Value)[] = [],
  ) {}

  /** The rows that it returns. Prisma's transactions give 64-bit numbers as bigint, all else as text. */
  async rows(on?: Executor): Promise<Row[]> {
    const it = statement(this);
    if (on && !("query" in on)) return on.$queryRawUnsafe<Row[]>(it.text, ...it.values);
    return (await query(it, on)).rows as Row[];
  }

  /** The first row that it returns, if any. */
  async row(on?: Executor): Promise<Row | undefined> {
    return (await this.rows(on))[0];
  }

  /** The rows that it returns, and how many it wrote, whether or not it returns them. As a transaction of its own. */
  async result(): Promise<{ rows: Row[]; count: number }> {
    const { rows, rowCount } = await query(statement(this));
    return { rows: rows as Row[], count: rowCount ?? 0 };
  }

  /** @returns how many rows it wrote */
  async run(on?: Executor): Promise<number> {
    const it = statement(this);
    if (on && !("query" in on)) return on.$executeRawUnsafe(it.text, ...it.values);
    return (await query(it, on)).rowCount ?? 0;
  }
}

/** A piece of SQL, with its values: a whole statement, which returns such rows, or part of one. */
export type Sql<Row extends object = object> = SqlFragment<Row>;

export const sql = <Row extends object = object>(strings: TemplateStringsArray, ...values: (Sql | Value)[]): Sql<Row> =>
  new SqlFragment<Row>(strings, values);

/** Where something may or may not stand: nothing. */
export const empty = sql``;

const once = <Key, T>(made: Map<Key, T>, key: Key, make: () => T): T => {
  let it = made.get(key);
  if (it === undefined) made.set(key, (it = make()));
  return it;
};

const constants = new Map<string, Sql>();
const constant = (text: string) => once(constants, text, () => new SqlFragment([text]));

/** A constant of the program as part of the text: each makes a statement of its own. @throws {Error} for unusual text */
export function literal(value: string | number): Sql {
  if (typeof value === "number" ? !Number.isSafeInteger(value) : !/^[\w .,:/-]*$/.test(value))
    throw new Error(`${JSON.stringify(value)} cannot stand in SQL as it is`);
  return constant(typeof value === "number" ? String(value) : `'${value}'`);
}

/** The name of a table or column, also behind its alias: `a.created_at`. @throws {Error} for anything else */
export function identifier(name: string): Sql {
  if (!/^[a-z_][a-z0-9_]*(\.[a-z_][a-z0-9_]*)*$/.test(name)) throw new Error(`${JSON.stringify(name)} is no name`);
  return constant(name);
}

/** What a column is called in what is returned. @throws {Error} for anything but letters */
export function alias(name: string): Sql {
  if (!/^[a-z]+$/i.test(name)) throw new Error(`${JSON.stringify(name)} is no name`);
  return constant(`"${name}"`);
}

/** A time in epoch milliseconds. @param column as for `identifier` */
export const epochMs = (column: string): Sql => sql`(extract(epoch FROM ${identifier(column)}) * 1000)::float8`;

const separators = new Map<string, readonly string[]>();
/** Pieces with a comma between them. */
export const list = (pieces: readonly Sql[]): Sql => joined(pieces, ", ");

/** Conditions that must all hold, of those that are there. A statement with some is not prepared: it is one of many. */
export const and = (conditions: readonly (Sql | "" | false | null | undefined)[]): Sql =>
  joined([sql`true`, ...conditions.filter((it) => it instanceof SqlFragment)], conjunction);

const conjunction = " AND ";
const joined = (pieces: readonly Sql[], separator: string) =>
  new SqlFragment(
    once(separators, `${pieces.length}${separator}`, () => ["", ...pieces.slice(1).map(() => separator), ""]),
    pieces,
  );

type Statement = { name?: string; text: string; values: unknown[] };
type Shape = { next: Map<unknown, Shape>; made?: Omit<Statement, "values"> };

/** What a template stands for until it is known which others nest in it. */
const shapes: Shape = { next: new Map() };
const step = (shape: Shape, by: unknown) => once(shape.next, by, () => ({ next: new Map() }));

/** The text with its parameters numbered, its values in that order, and its name where it is to be prepared. */
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
    varies ||= piece.strings[1] === conjunction;
    return piece.strings.reduce((text, rest, at) => {
      const value = piece.values[at - 1];
      return text + (value instanceof SqlFragment ? write(value) : `$${++parameters}`) + rest;
    });
  };
  const text = write(whole);
  return varies ? { text } : { text, name: `sql_${createHash("sha256").update(text).digest("base64url")}` };
}

/** What a statement is part of: a connection's transaction, or one of Prisma's. Otherwise it is one by itself, on the pool. */
export type Executor = Pick<ClientBase, "query"> | Pick<Transaction, "$queryRawUnsafe" | "$executeRawUnsafe">;

/** What others were in the way of is done once more, where it is a transaction by itself. */
const query = (it: Statement, on?: Pick<ClientBase, "query">) =>
  on ? on.query(it) : retryOnConflict(() => pool().query(it));

/** A row without the columns that are NULL: what its type has as optional. */
export const omitNulls = <Row extends object>(row: Row): Row =>
  Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)) as Row;
