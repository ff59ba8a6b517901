import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { operations } from "@/lib/api/operation-registry";
import { collectionFile, collectionText } from "./postman-collection";

type Item = {
  name: string;
  request: { method: string; url: { raw: string; path: string[] }; body?: { raw: string } };
  event: { script: { exec: string[] } }[];
};
const text = readFileSync(collectionFile, "utf8");
const { item: folders, variable } = JSON.parse(text) as {
  item: { name: string; item: Item[] }[];
  variable: { key: string }[];
};

test("generates exactly the published Postman collection (to update: npm run derive)", () => {
  expect(text).toBe(collectionText());
});

test("includes every API operation exactly once", () => {
  const said = folders.flatMap(({ item }) =>
    item.map(({ name, request: { method, url, body } }) => ({
      name,
      path: `${method} /${url.path.join("/").replace(/\{\{\w+\}\}/, "{id}")}`,
      body: body && JSON.parse(body.raw),
    })),
  );
  const meant = operations.map(({ summary, method, path, example }) => ({
    name: summary,
    path: `${method} ${path}`,
    body: method === "POST" ? example.body : undefined,
  }));
  const inOrder = (a: { path: string }, b: { path: string }) => (a.path < b.path ? -1 : 1);
  expect(said.sort(inOrder)).toEqual(meant.sort(inOrder));
});

test("declares each variable and sets its value before use", () => {
  const declared = variable.map(({ key }) => key);
  const set = new Set(["baseUrl", "token"]);
  for (const { request, event } of folders.flatMap(({ item }) => item)) {
    for (const [, name = ""] of request.url.raw.matchAll(/\{\{(\w+)\}\}/g)) {
      expect(declared).toContain(name);
      expect([...set], request.url.raw).toContain(name);
    }
    for (const [, name = ""] of event.flatMap(({ script }) => [
      ...script.exec.join("\n").matchAll(/Variables\.set\("(\w+)"/g),
    ]))
      set.add(name);
  }
  expect([...set].sort()).toEqual(declared.sort());
});
