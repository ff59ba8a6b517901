import { expect, test } from "vitest";
import { NewFacts } from "@/lib/approvals/facts";
import { factsOf } from "./tool-call-facts";

test("converts a call's arguments to facts sorted by name", () => {
  expect(factsOf({ to: "Ada", amount: 86.4, deep: { b: 1, a: ["x"] }, none: null, yes: true })).toEqual([
    { label: "amount", value: "86.4" },
    { label: "deep", value: '{"a":["x"],"b":1}' },
    { label: "none", value: "null" },
    { label: "to", value: "Ada" },
    { label: "yes", value: "true" },
  ]);
});

test("returns equal facts for equal calls", () => {
  expect(factsOf({ b: { d: 1, c: 2 }, a: 1 })).toEqual(factsOf({ a: 1, b: { c: 2, d: 1 } }));
});

test.each([[null], [undefined], ["text"], [5], [[1, 2]], [{}]])("returns no facts for %j", (input) => {
  expect(factsOf(input)).toEqual([]);
});

test("limits the number and length of facts", () => {
  const many = Object.fromEntries([..."abcdefgh"].map((name) => [name, "🙂".repeat(300)]));
  const facts = factsOf({ ...many, [`a${"n".repeat(100)}`]: 1 });
  expect(facts.map(({ label }) => label)).toEqual(["a", `a${"n".repeat(78)}…`, "b", "c", "d", "e"]);
  expect(facts[0]?.value).toBe(`${"🙂".repeat(199)}…`);
  expect(factsOf({ a: "x".repeat(200) })[0]?.value).toBe("x".repeat(200));
});

test("produces visible facts that the service accepts", () => {
  const hostile = [
    ...["", " ", "\n", "\u200b", "\u2800", "\u3164", "\u0301", "\ufe0f"],
    ...[
      "a\nb\tc\r\nd",
      "pay \u202e001$",
      "a\u2066b",
      "a\0b",
      "a\ud800b",
      "a\u{e0041}b",
      "\u2028x",
      `a${"\u0301".repeat(30)}`,
    ],
    ...["__proto__", "constructor", "\u115f", "\u{1d159}", "\u034f", "x".repeat(500)],
  ];
  for (const text of hostile) {
    const facts = factsOf(JSON.parse(JSON.stringify({ [text]: text, other: [text], more: { [text]: 1 } })));
    expect(NewFacts.safeParse(facts).error, JSON.stringify(text)).toBeUndefined();
    expect(facts).toHaveLength(3);
  }
  expect(factsOf({ a: "a\nb", b: "", c: "x\u202ey" }).map(({ value }) => value)).toEqual(["a b", '""', "x\\u202ey"]);
});

test("treats a prototype key as an ordinary argument", () => {
  const input = JSON.parse('{"__proto__": {"admin": true}, "a": 1}');
  expect(factsOf(input)).toContainEqual({ label: "__proto__", value: '{"admin":true}' });
});
