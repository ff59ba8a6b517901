import { expect, it } from "vitest";
import { z } from "zod";
import { readForm } from "./read-form";

const form = (...pairs: [string, string][]) => {
  const data = new FormData();
  for (const [name, value] of pairs) data.append(name, value);
  return data;
};
const schema = z
  .object({
    name: z.string(),
    note: z.string().optional(),
    days: z.coerce.number().default(90),
    scopes: z.array(z.string()),
  })
  .transform((it) => it);

it("reads repeated fields as lists", () => {
  expect(readForm(schema, form(["name", "a"], ["scopes", "x"], ["scopes", "y"]))).toEqual({
    name: "a",
    scopes: ["x", "y"],
  });
  expect(readForm(schema, form(["scopes", "x"]))).toEqual({ scopes: ["x"] });
  expect(readForm(schema, form())).toEqual({ scopes: [] });
});

it("ignores empty optional fields", () => {
  expect(readForm(schema, form(["name", ""], ["note", ""], ["days", ""]))).toEqual({ name: "", scopes: [] });
  expect(schema.parse(readForm(schema, form(["name", "a"], ["days", "7"])))).toEqual({
    name: "a",
    days: 7,
    scopes: [],
  });
});

it("ignores files and Next's own fields", () => {
  const sent = form(["$ACTION_ID_1", "x"], ["name", "a"], ["extra", "b"], ["__proto__", "c"]);
  sent.append("file", new File(["x"], "x.txt"));
  const read = readForm(schema, sent);
  expect(Object.entries(read)).toEqual(
    expect.arrayContaining([
      ["name", "a"],
      ["extra", "b"],
    ]),
  );
  expect(Object.keys(read)).not.toContain("file");
  expect(Object.keys(read)).not.toContain("$ACTION_ID_1");
  expect(Object.getPrototypeOf(read)).toBe(Object.prototype);
});
