import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { architecturePicture, pictureFile } from "./architecture-picture";

test("keeps the architecture diagram up to date with the imports (to update: npm run derive)", () => {
  expect(readFileSync(pictureFile, "utf8")).toBe(architecturePicture());
});

test("draws only downward arrows in the architecture diagram", () => {
  const paths = [...architecturePicture().matchAll(/class="arrow" d="M\d+ ([\d.]+)H[\d.]+V([\d.]+)H/g)];
  expect(paths.length).toBeGreaterThan(8);
  expect(paths.filter(([, start, end]) => Number(start) >= Number(end))).toEqual([]);
});
