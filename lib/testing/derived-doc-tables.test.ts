import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { derivedDocs } from "./derived-doc-tables";

test.each(Object.entries(derivedDocs()))(
  "derives the tables of %s from code (to update: npm run derive)",
  (file, text) => {
    expect(readFileSync(file, "utf8")).toBe(text);
  },
);
