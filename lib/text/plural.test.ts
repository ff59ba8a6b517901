import { expect, test } from "vitest";
import { plural, upTo } from "./plural";

test("uses the singular form only for a count of one", () => {
  const said = [0, 1, 2, 1204, 1_234_567].map((count) => plural(count, { one: "# app", other: "# apps" }));
  expect(said).toEqual(["0 apps", "1 app", "2 apps", "1,204 apps", "1,234,567 apps"]);
  expect(plural(100, { one: "it", other: "all #" }, upTo(99, 100))).toBe("all 99+");
});
