import { expect, test } from "vitest";
import { openapiText } from "./openapi";
import { operations } from "./operation-registry";

/** The required form of each kind of ID, by prefix. */
const shapes: Record<string, RegExp> = {
  ...Object.fromEntries(["apr", "ntf", "int", "app"].map((kind) => [kind, new RegExp(`^${kind}_[0-9a-v]{32}$`)])),
  evt: /^evt_[0-7][0-9a-v]{25}$/,
  req: /^req_[0-9a-f]{16}[0-9a-z]+$/,
};
const isShaped = (text: string) => shapes[text.slice(0, 3)]?.test(text) === true;

/**
 * Finds every ID in an example, by its field's name and path. Skips option IDs, which apps choose.
 */
function* idsIn(value: unknown, at: string): Generator<[string, string]> {
  if (typeof value !== "object" || value === null) return;
  for (const [name, inner] of Object.entries(value)) {
    const here = `${at}.${name}`;
    if (typeof inner === "string" && /^(id|_id|clientId|nextCursor)$/.test(name) && !/\.options\.\d+\.id$/.test(here))
      yield [here, inner];
    yield* idsIn(inner, here);
  }
}

test("uses well-formed IDs in every example", () => {
  const found = operations.flatMap((op) => [
    ...idsIn(op.example.response, op.id),
    ...idsIn(op.waits?.gives, `${op.id} waited`),
  ]);
  expect(found.length).toBeGreaterThan(8);
  for (const [at, id] of found) expect([at, id, isShaped(id)]).toEqual([at, id, true]);
});

test("uses well-formed IDs throughout the OpenAPI document", () => {
  const texts = [...openapiText().matchAll(/"((?:apr|ntf|int|app|evt|req)_[^"]*)"/g)].map(([, text = ""]) => text);
  expect(texts.length).toBeGreaterThan(8);
  for (const text of texts) expect([text, isShaped(text)]).toEqual([text, true]);
});
