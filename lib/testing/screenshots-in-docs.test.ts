import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { pictureFolder, shownPictures } from "./screenshots-in-docs";

const files = readdirSync(pictureFolder).sort();

it("includes exactly the screenshots that documentation pages show", () => {
  expect(files).toEqual(shownPictures().map(({ name }) => `${name}.png`));
});

it("limits each screenshot to 150 kB", () => {
  const sizes = files.map((file) => [file, statSync(join(pictureFolder, file)).size] as const);
  expect(sizes.filter(([, size]) => size >= 150_000)).toEqual([]);
});
