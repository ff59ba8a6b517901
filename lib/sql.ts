import { createHash } from "node:crypto";
import type { ClientBase, QueryResultRow } from "pg";
import { pool, type Transaction } from "./db";

/*
 * How SQL is written here. In sql`SELECT … WHERE id = ${id}` a value becomes a parameter, whatever it holds, and another piece
 * of SQL becomes part of the text: pieces nest, and nobody numbers parameters or names statements. The text is put together
 * once for each way in which templates nest, found again by the templates themselves, and named by its hash: on the pool it is
 * a prepared statement. Prisma keeps the schema, the types, and plain rows by key.
 */

type Scalar = string | number | bigint | boolean | Date | Uint8Array | null;
/** What can be a parameter. JSON is passed as text. */
export type Value = Scalar | readonly Scalar[];

class Piece {
  constructor(
    readonly strings: readonly string[],
    readonly values: readonly (Piece | Value)[] = [],
  ) {}

  /** The text of a piece without values. @throws {Error} for one with values */
  toString(): string {
    const { text, values } = statement(this);
    if (values.length > 0) throw new Error("SQL with values is no text");
    return text;
  }
}

/** A piece of SQL, with its values: a whole statement, or part of one. */
export type Sql = Piece;

export const sql = (strings: TemplateStringsArray, ...values: (Sql | Value)[]): Sql => new Piece(strings, values);

/** Where something may or may not stand: nothing. */
export const empty = sql``;

const once = <Key, T>(made: Map<Key, T>, key: Key, make: () => T): T => {
  let it = made.get(key);
  if (it === undefined) made.set(key, (it = make()));
  return it;
};

const constants = new Map<string, Sql>();
const constant = (text: string) => once(constants, text, () => new Piece([text]));

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

const separators = new Map<string, readonly string[]>();
/** Pieces with a comma between them. */
export const list = (pieces: readonly Sql[]): Sql => joined(pieces, ", ");

/** Conditions that must all hold, of those that are there. A statement with some is not prepared: it is one of many. */
export const all = (conditions: readonly (Sql | "" | false | null | undefined)[]): Sql =>
  joined([sql`true`, ...conditions.filter((it) => it instanceof Piece)], and);

const and = " AND ";
const joined = (pieces: readonly Sql[], separator: string) =>
  new Piece(
    once(separators, `${pieces.length}${separator}`, () => ["", ...pieces.slice(1).map(() => separator), ""]),
    pieces,
  );

export type Statement = { name?: string; text: string; values: unknown[] };
type Shape = { next: Map<unknown, Shape>; made?: Omit<Statement, "values"> };

/** What a template stands for until it is known which others nest in it. */
const shapes: Shape = { next: new Map() };
const step = (shape: Shape, by: unknown) => once(shape.next, by, () => ({ next: new Map() }));

/** The text with its parameters numbered, its values in that order, and its name where it is to be prepared. */
export function statement(piece: Sql): Statement {
  const values: unknown[] = [];
  const shape = gather(piece, values, shapes);
  const { name, text } = (shape.made ??= make(piece));
  return name === undefined ? { text, values } : { name, text, values };
}

function gather(piece: Sql, values: unknown[], from: Shape): Shape {
  let shape = step(from, piece.strings);
  for (const value of piece.values) {
    if (value instanceof Piece) shape = gather(value, values, shape);
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
    varies ||= piece.strings[1] === and;
    return piece.strings.reduce((text, rest, at) => {
      const value = piece.values[at - 1];
      return text + (value instanceof Piece ? write(value) : `$${++parameters}`) + rest;
    });
  };
  const text = write(whole);
  return varies ? { text } : { text, name: `sql_${createHash("sha256").update(text).digest("base64url")}` };
}

/** The pool, a connection of it, or a transaction of Prisma's. */
export type On = Pick<ClientBase, "query"> | Pick<Transaction, "$queryRawUnsafe" | "$executeRawUnsafe">;

/** The rows that a statement returns. Prisma's transactions give 64-bit numbers as bigint, all else as text. */
export async function rows<Row extends QueryResultRow>(piece: Sql, on: On = pool()): Promise<Row[]> {
  const it = statement(piece);
  return "query" in on ? (await on.query<Row>(it)).rows : on.$queryRawUnsafe<Row[]>(it.text, ...it.values);
}

/** The first row that a statement returns, if any. */
export const row = async <Row extends QueryResultRow>(piece: Sql, on?: On): Promise<Row | undefined> =>
  (await rows<Row>(piece, on))[0];

/** How many rows a statement wrote. */
export async function run(piece: Sql, on: On = pool()): Promise<number> {
  const it = statement(piece);
  return "query" in on ? ((await on.query(it)).rowCount ?? 0) : on.$executeRawUnsafe(it.text, ...it.values);
}
