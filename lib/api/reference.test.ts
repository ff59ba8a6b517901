import { expect, it } from "vitest";
import { operations } from "./operation-registry";
import { reference } from "./reference";

const { endpoints, errors, scopes } = reference("https://ask.example");

it("describes every operation with its scope and errors", () => {
  expect(endpoints.map(({ id }) => id).sort()).toEqual(operations.map(({ id }) => id).sort());
  for (const op of operations) {
    const described = endpoints.find(({ id }) => id === op.id);
    expect(described).toMatchObject({ method: op.method, path: op.path, scope: op.scope, success: op.status ?? 200 });
    for (const status of described?.failures ?? []) expect(errors.map((error) => error.status)).toContain(status);
  }
  for (const { means, advice } of errors) expect([means, advice].every((text) => text.length > 0)).toBe(true);
  expect(scopes.map(({ scope }) => scope)).toEqual(
    expect.arrayContaining(operations.flatMap(({ scope }) => scope ?? [])),
  );
});

it("lists every input field with its limits", () => {
  for (const op of operations) {
    const named = endpoints.find(({ id }) => id === op.id)?.takes.map(({ name }) => name);
    const headers: Record<string, string> = { idempotencyKey: "Idempotency-Key" };
    expect(named).toEqual(expect.arrayContaining(Object.keys(op.input.shape).map((name) => headers[name] ?? name)));
  }
  const submit = endpoints.find(({ id }) => id === "submitApproval")?.takes ?? [];
  expect(submit.find(({ name }) => name === "question")).toMatchObject({
    in: "body",
    type: "text",
    required: true,
    bounds: ["1 to 2,000 characters"],
  });
  expect(submit.find(({ name }) => name === "options")).toMatchObject({ type: "list of objects", bounds: ["1 to 20"] });
  expect(submit.find(({ name }) => name === "options[].label")).toMatchObject({ required: true });
  expect(submit.find(({ name }) => name === "Idempotency-Key")).toMatchObject({ in: "header", required: false });
  const list = endpoints.find(({ id }) => id === "listApprovals")?.takes ?? [];
  expect(list.find(({ name }) => name === "limit")?.bounds).toEqual(["1 to 200", "100 by default"]);
});

it.each(operations.map((op) => [op.id, op] as const))("accepts the example request for %s", (id, op) => {
  const { query, body } = op.example ?? {};
  const path = op.path.includes("{id}") ? { id: "apr_x" } : {};
  const key = op.requiresKey && { idempotencyKey: "k" };
  expect(op.input.safeParse({ ...query, ...body, ...path, ...key })).toMatchObject({ success: true });
  if (op.method === "POST") expect(body).toBeDefined();
  expect(endpoints.find((endpoint) => endpoint.id === id)?.curl).toContain('curl "https://ask.example/api/');
});
