import { expect, test } from "vitest";
import { isId, newId } from "./ids";

test("creates unique, recognizable IDs that sort chronologically", () => {
  const ids = Array.from({ length: 5_000 }, () => newId("apr"));
  expect(new Set(ids).size).toBe(ids.length);
  expect([...ids].sort()).toEqual(ids);
  for (const id of ids.slice(0, 50)) expect(isId("apr", id)).toBe(true);
  expect(new Set(ids.map((id) => id.slice(-19))).size).toBe(ids.length);
  expect(isId("ntf", ids[0] as string)).toBe(false);
  for (const odd of ["", "apr_", "__proto__", `apr_${"x".repeat(32)}`, `${ids[0]}0`, ids[0]?.toUpperCase() ?? ""])
    expect([odd, isId("apr", odd)]).toEqual([odd, false]);
});

test("keeps IDs in order when the clock is set back", () => {
  const first = newId("apr", Date.now() + 60_000);
  expect(newId("apr", Date.now()) > first).toBe(true);
});
