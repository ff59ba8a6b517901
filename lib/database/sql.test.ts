import { expect, test } from "vitest";
import { and, empty, identifier, list, literal, type Sql, sql, statement } from "./sql";

const mine = (owner: string) => sql`a.owner_id = ${owner}`;
const read = (owner: string, only: Sql = empty) => sql`SELECT ${only} FROM approval a WHERE ${mine(owner)} LIMIT ${1}`;

test("converts values to parameters numbered in order", () => {
  const { text, values } = statement(sql`SELECT ${1}, ${"two"}, ${[3, 4]}, ${null}`);
  expect(text).toBe("SELECT $1, $2, $3, $4");
  expect(values).toEqual([1, "two", [3, 4], null]);
});

test("numbers the parameters of nested SQL pieces in order", () => {
  const held = sql`EXISTS (SELECT FROM approval_triage d WHERE ${mine("b")} AND d.held_answer IS NOT NULL)`;
  const { text, values } = statement(sql`SELECT ${"a"} WHERE ${held} OR ${mine("c")}${empty}`);
  expect(text).toBe(
    "SELECT $1 WHERE EXISTS (SELECT FROM approval_triage d WHERE a.owner_id = $2 AND d.held_answer IS NOT NULL) OR a.owner_id = $3",
  );
  expect(values).toEqual(["a", "b", "c"]);
});

test("passes a repeated value as two parameters", () => {
  const both = (one: string, other: string) => statement(sql`SELECT ${one} = ${other}`);
  expect(both("x", "x")).toEqual({ ...both("x", "y"), values: ["x", "x"] });
});

test("generates the same statement text and name for each use of a template", () => {
  const [first, again] = [statement(read("own_1")), statement(read("own_2"))];
  expect(again).toEqual({ ...first, values: ["own_2", 1] });
  const names = [
    read("own_1"),
    read("own_1", sql`a.id`),
    read("own_1", sql`a.id, ${"x"}`),
    read("own_1", sql`${"x"}`),
    sql`SELECT ${sql`a`}, ${"x"}`,
    sql`SELECT ${"x"}, ${sql`a`}`,
    sql`SELECT ${literal(1)}`,
    sql`SELECT ${literal(2)}`,
  ].map((piece) => statement(piece).name);
  expect(new Set(names).size).toBe(names.length);
});

test("shares one prepared statement between templates with equal text", () => {
  expect(statement(sql`SELECT 1`)).toEqual(statement(sql`SELECT 1`));
});

test("keeps statement names within PostgreSQL's length limit", () => {
  const wide = list(Array.from({ length: 1000 }, (_, at) => sql`${at}`));
  expect(statement(sql`SELECT ${wide}`).name?.length).toBeLessThanOrEqual(63);
});

test("joins the pieces of a list with commas", () => {
  const pairs = (ids: string[]) => statement(sql`VALUES ${list(ids.map((id) => sql`(${id}, now())`))}`);
  expect(pairs(["a", "b"])).toMatchObject({ text: "VALUES ($1, now()), ($2, now())", values: ["a", "b"] });
  expect(pairs(["a"]).text).toBe("VALUES ($1, now())");
});

test("skips absent conditions and joins the others with AND", () => {
  const find = (app?: string, unread = false) =>
    statement(sql`SELECT WHERE ${and([app !== undefined && sql`app_id = ${app}`, unread && sql`read_at IS NULL`])}`);
  expect(find("app_1", true)).toEqual({
    text: "SELECT WHERE true AND app_id = $1 AND read_at IS NULL",
    values: ["app_1"],
  });
  expect(find(undefined, true)).toEqual({ text: "SELECT WHERE true AND read_at IS NULL", values: [] });
  expect(find().text).toBe("SELECT WHERE true");
});

test("prepares a statement with a literal AND between two values", () => {
  const [owner, app] = ["own_1", "app_1"];
  const written = [sql`SELECT ${owner} AND ${app}`, sql`SELECT ${sql`${mine(owner)} AND ${mine(app)}`}`];
  for (const piece of written) expect(statement(piece).name).toBeDefined();
});

test("rejects SQL text that is neither a constant nor a name", () => {
  const nasty = "x'; DROP TABLE owner --";
  expect(statement(sql`SELECT ${nasty}`)).toMatchObject({ text: "SELECT $1", values: [nasty] });
  expect(statement(sql`${literal("approvals:read")}, ${literal(50)}, ${identifier("a.id")}`).text).toBe(
    "'approvals:read', 50, a.id",
  );
  for (const bad of [nasty, "\\", "\0", 1.5, Number.NaN]) expect(() => literal(bad)).toThrow();
  for (const bad of [nasty, "a b", "A", "a.", ""]) expect(() => identifier(bad)).toThrow();
});
