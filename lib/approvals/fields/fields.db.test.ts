import { decodeJwt } from "jose";
import { expect, test } from "vitest";
import { pool } from "@/lib/database/db";
import { newId } from "@/lib/ids";
import { issueReceipt } from "@/lib/receipts/receipts";
import { recordUse } from "@/lib/receipts/use-answer";
import { answerApproval } from "@/lib/testing/answer-approval";
import { startFront } from "@/lib/testing/api-server";
import { anAppWith } from "@/lib/testing/factories";
import { getApproval, submitApproval } from "../approvals";
import { contentHash } from "../content-hash";
import { readApproval } from "../inbox-queries";
import { type Approval, NewApproval } from "../schema";

const { ask } = await startFront();
const invoice = NewApproval.parse({
  question: "Pay the invoice?",
  fields: {
    type: "object",
    properties: {
      when: { type: "string", format: "date", title: "Pay on" },
      amount: {
        type: "object",
        format: "money",
        currency: "EUR",
        maximum: "500.00",
        default: { currency: "EUR", amount: "86.40" },
      },
      Zebra: { type: "number", minimum: 0.000001, maximum: 123456789012.5, default: 1.5, title: 'é "\\' },
      lines: {
        type: "object",
        format: "items",
        items: [
          { note: "n", label: "Rent", id: "a" },
          { id: "b", label: "Power" },
        ],
      },
    },
    required: ["amount"],
  },
  options: [
    { label: "Pay", id: "pay", fields: true },
    { id: "no", label: "Don’t pay" },
  ],
});
const values = {
  amount: { amount: "80.00", currency: "EUR" },
  when: "2026-12-01",
  lines: { b: "reject", a: "approve" },
};

async function asked() {
  const made = await anAppWith("approvals:write", "approvals:read", "approvals:resolve");
  const { id } = await submitApproval(made.app, invoice);
  const read = async () => JSON.parse((await getApproval(made.app, id)).text) as Approval;
  return { ...made, id, read };
}

test("stores the fields, and covers them with the content hash", async () => {
  const { id, read, owner } = await asked();
  const approval = await read();
  expect(approval.fields).toEqual(invoice.fields);
  expect(approval.options).toEqual(invoice.options);
  expect(approval.contentHash).toBe(contentHash(invoice));
  const { rows } = await pool().query("SELECT approval_current_hash(a) AS hash FROM approval a WHERE id = $1", [id]);
  expect(rows).toEqual([{ hash: contentHash(invoice) }]);
  // Any change to the schema, a default or an option changes the hash.
  const changes: ((it: typeof invoice) => void)[] = [
    (it) => void delete it.fields?.properties.when,
    (it) => void Object.assign(it.fields?.properties.amount ?? {}, { maximum: "500.01" }),
    (it) => void Object.assign(it.fields?.properties.amount ?? {}, { default: { currency: "EUR", amount: "86.41" } }),
    (it) => void Object.assign(it.fields ?? {}, { required: [] }),
    (it) => void Object.assign(it.options[1] ?? {}, { fields: true }),
  ];
  const hashes = changes.map((change) => {
    const copy = structuredClone(invoice);
    change(copy);
    return contentHash(copy);
  });
  expect(new Set([contentHash(invoice), ...hashes]).size).toBe(6);
  const shown = await readApproval(owner, id);
  expect(Object.keys(shown.fields?.properties ?? {})).toEqual(["when", "amount", "Zebra", "lines"]);
});

test("records the values of the owner's answer, and signs them", async () => {
  const { owner, app, id, read } = await asked();
  await answerApproval(owner, id, { kind: "option", optionId: "pay", values });
  const { resolution } = await read();
  expect(resolution).toMatchObject({ optionId: "pay", resolvedBy: "owner", values });
  expect(Object.keys(resolution?.values ?? {})).toEqual(["when", "amount", "lines"]);
  expect(decodeJwt(await issueReceipt(app, id)).resolution).toMatchObject({ values });
});

test("rejects missing, unexpected and invalid values, and keeps the question pending", async () => {
  const { owner, id, read, token } = await asked();
  const answer = (optionId: string, given?: object) =>
    answerApproval(owner, id, { kind: "option", optionId, ...(given && { values: given as never }) });
  const refused = (path: string) => ({ status: 400, details: [expect.objectContaining({ path })] });
  await expect(answer("pay")).rejects.toMatchObject(refused("values"));
  await expect(answer("no", values)).rejects.toMatchObject(refused("values"));
  await expect(answer("pay", { ...values, amount: undefined })).rejects.toMatchObject(refused("values.amount"));
  const over = { ...values, amount: { amount: "500.01", currency: "EUR" } };
  await expect(answer("pay", over)).rejects.toMatchObject(refused("values.amount"));
  await expect(answer("pay", JSON.parse('{"__proto__": 1}'))).rejects.toMatchObject({ status: 400 });
  const other = { kind: "other", otherText: "No", values } as const;
  await expect(answerApproval(owner, id, other)).rejects.toMatchObject(refused("values"));
  const resolve = (body: object) => ask("POST", `/api/approvals/${id}/resolve`, { token, body });
  expect((await resolve({ kind: "option", optionId: "pay" })).status).toBe(400);
  expect((await resolve({ kind: "option", optionId: "pay", values: over })).body).toMatchObject({
    details: [{ path: "values.amount", message: "Must be at most 500.00" }],
  });
  expect((await read()).status).toBe("pending");
  expect((await resolve({ kind: "option", optionId: "pay", values })).status).toBe(200);
  expect((await read()).resolution).toMatchObject({ resolvedBy: "api", values });
});

test("rejects values that are not valid Unicode or JSON numbers, for any question", async () => {
  const { app, id, token } = await asked();
  const { id: without } = await submitApproval(app, { question: "Ship it?", options: [{ id: "pay", label: "Yes" }] });
  for (const values of ['{"a":"\\ud800"}', '{"a":"\\u0000"}', '{"\\ud800":1}', '{"a":1e400}', '{"__proto__":1}'])
    for (const question of [id, without, newId("apr")]) {
      const raw = `{"kind":"option","optionId":"pay","values":${values}}`;
      const { status } = await ask("POST", `/api/approvals/${question}/resolve`, { token, raw });
      // The validation drops this name, and empty values count as absent.
      const isEmpty = question === without && values.includes("__proto__");
      expect([values, status]).toEqual([values, isEmpty ? 200 : question === id || question === without ? 400 : 404]);
    }
});

test("counts empty fields and values as absent, as generated clients send them", async () => {
  const { token } = await anAppWith("approvals:write", "approvals:read", "approvals:resolve");
  const body = { question: "Ship it?", options: [{ id: "ship", label: "Ship" }], fields: {} };
  const { id } = (await ask("POST", "/api/approvals", { token, body })).body as { id: string };
  const { fields: _, ...content } = body;
  const path = `/api/approvals/${id}`;
  expect((await ask("GET", path, { token })).body).toMatchObject({ contentHash: contentHash(content) });
  const answer = { kind: "option", optionId: "ship", values: {} };
  expect((await ask("POST", `${path}/resolve`, { token, body: answer })).status).toBe(200);
  expect((await ask("GET", path, { token })).body).not.toHaveProperty("fields");
  expect((await ask("GET", path, { token })).body).not.toHaveProperty("resolution.values");
  // An option whose fields are all optional takes an empty answer.
  const optional = {
    ...body,
    options: [{ id: "ship", label: "Ship", fields: true }],
    fields: { type: "object", properties: { note: { type: "string" } } },
  };
  const { id: other } = (await ask("POST", "/api/approvals", { token, body: optional })).body as { id: string };
  expect((await ask("POST", `/api/approvals/${other}/resolve`, { token, body: answer })).status).toBe(200);
  expect((await ask("GET", `/api/approvals/${other}`, { token })).body).toMatchObject({ resolution: { values: {} } });
});

test("rejects fields and options that don't fit each other", async () => {
  const { token } = await anAppWith("approvals:write", "approvals:resolve");
  const post = async (body: object) => (await ask("POST", "/api/approvals", { token, body })).body;
  const { fields, ...without } = invoice;
  expect(await post(without)).toMatchObject({
    details: [{ path: "fields", message: expect.stringContaining("takes fields") }],
  });
  const plain = invoice.options.map(({ id, label }) => ({ id, label }));
  expect(await post({ ...invoice, options: plain })).toMatchObject({ details: [{ path: "fields" }] });
  const late = { expiresAt: Date.now() + 3_600_000, defaultOptionId: "pay" };
  expect(await post({ ...invoice, ...late })).toMatchObject({
    details: [{ path: "fields", message: expect.stringContaining("default") }],
  });
  expect(
    await post({ ...invoice, fields: { ...fields, properties: { a: { type: "string", format: "ipv4" } } } }),
  ).toMatchObject({ details: [{ path: "fields.properties.a.format" }] });
});

test("uses an answer only with the values that the owner allowed", async () => {
  const { owner, app, id, read } = await asked();
  await answerApproval(owner, id, { kind: "option", optionId: "pay", values });
  const use = (given: object | undefined, key = "k") =>
    recordUse(app, {
      id,
      contentHash: contentHash(invoice),
      values: given as Record<string, unknown> | undefined,
      key,
    });
  const mismatch = { status: 409, details: [expect.objectContaining({ reason: "values_mismatch" })] };
  const other = { ...values, amount: { amount: "80.01", currency: "EUR" } };
  const invalid = [{ a: "\ud800" }, { a: Number.POSITIVE_INFINITY }];
  for (const wrong of [undefined, {}, other, { ...values, more: 1 }, ...invalid])
    await expect(use(wrong)).rejects.toMatchObject(mismatch);
  expect((await read()).usedAt).toBeUndefined();
  // The order of the values does not matter.
  const { amount, ...others } = values;
  const first = await use({ ...others, amount });
  expect(decodeJwt(first.receipt)).toMatchObject({ resolution: { values } });
  await expect(use(other)).rejects.toMatchObject(mismatch);
});
