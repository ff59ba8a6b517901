import { expect, test } from "vitest";
import { ordinal, plural, upTo } from "./plural";

test("uses the singular only for one", () => {
  const said = [0, 1, 2, 1204, 1_234_567].map((count) => plural(count, { one: "# app", other: "# apps" }));
  expect(said).toEqual(["0 apps", "1 app", "2 apps", "1,204 apps", "1,234,567 apps"]);
  expect(plural(100, { one: "it", other: "all #" }, upTo(99, 100))).toBe("all 99+");
});

test("writes English ordinals", () => {
  expect([1, 2, 3, 4, 11, 12, 13, 21, 22, 23, 92].map(ordinal)).toEqual(
    "1st 2nd 3rd 4th 11th 12th 13th 21st 22nd 23rd 92nd".split(" "),
  );
});
