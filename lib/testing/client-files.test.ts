import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { clientTypes } from "@/lib/api/client-types";
import { clientFiles } from "./client-files";

const published = (name: string) => readFileSync(join("public/client", name), "utf8");

test("the client's types are those of the OpenAPI document (npm run openapi writes them)", () => {
  expect(readFileSync("lib/client/types.ts", "utf8")).toBe(clientTypes());
});

test("the client that is served is the one in lib/client (npm run client writes it)", { timeout: 60_000 }, async () => {
  const { js, types } = await clientFiles();
  expect(published("countersign.js")).toBe(js);
  expect(published("countersign.d.ts")).toBe(types);
});

test("it needs nothing but itself", () => {
  expect(published("countersign.js")).not.toMatch(/^import |\brequire\(|process\.|Buffer/m);
  expect(published("countersign.d.ts")).not.toMatch(/^import /m);
});
