import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { fileHash, lensFile, lensPath } from "./build-lens";

test("builds the hosted lens from lib/lens (to update: npm run derive)", () => {
  const file = readFileSync(lensPath, "utf8");
  expect(file === lensFile()).toBe(true);
  expect(readFileSync("docs/lens.md", "utf8")).toContain(`\`${fileHash(file)}\``);
});

test("defines each color and font of the lens", () => {
  const file = readFileSync(lensPath, "utf8");
  for (const [, name] of file.matchAll(/var\((--[a-z-]+)\)/g)) expect(file).toMatch(new RegExp(`^ {2}${name}: `, "m"));
});

test("allows the lens no resource and no request", () => {
  const file = readFileSync(lensPath, "utf8");
  const [, policy = ""] = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(file) ?? [];
  const directives = Object.fromEntries(policy.split("; ").map((each) => [each.split(" ")[0], each]));
  expect(Object.keys(directives).sort()).toEqual(
    ["base-uri", "default-src", "form-action", "img-src", "script-src", "style-src"].sort(),
  );
  expect([directives["default-src"], directives["img-src"]]).toEqual(["default-src 'none'", "img-src data:"]);
  for (const [directive, tag] of [
    ["script-src", "script"],
    ["style-src", "style"],
  ] as const) {
    const [, text = ""] = new RegExp(`<${tag}>([\\s\\S]*?)</${tag}>`).exec(file) ?? [];
    const hash = createHash("sha256").update(text).digest("base64");
    expect(directives[directive]).toBe(`${directive} 'sha256-${hash}'`);
  }
  // Everything is inline, so that a saved file is complete.
  expect(file.match(/<(?:script|link|img|iframe|video|source)\b[^>]*(?:src|href)="(?!data:)/g)).toBeNull();
});
