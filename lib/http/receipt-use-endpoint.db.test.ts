import { expect, test } from "vitest";
import { submitApproval } from "@/lib/approvals/approvals";
import { pool } from "@/lib/database/db";
import { rotateReceiptKey, signingKey } from "@/lib/receipts/receipt-keys";
import { issueReceipt } from "@/lib/receipts/receipts";
import { revokeReceiptKey } from "@/lib/receipts/revoke-receipt-key";
import { answerApproval } from "@/lib/testing/answer-approval";
import { startFront } from "@/lib/testing/api-server";
import { anAppWith } from "@/lib/testing/factories";
import { aQuestion } from "@/lib/testing/sample-question";

const { ask } = await startFront();
const key = { "idempotency-key": "executor 1" };
const use = (body: unknown, headers: Record<string, string> = key) => ask("POST", "/receipts/use", { body, headers });

const invalid = {
  path: "receipt",
  message: "Must be a receipt that this service signed. If its key was revoked, get the receipt again",
};

/** Creates an answered question. @returns its receipt and its app */
async function aReceipt() {
  const made = await anAppWith("approvals:write", "approvals:read");
  const { id } = await submitApproval(made.app, aQuestion);
  await answerApproval(made.owner, id, { kind: "option", optionId: "ship" });
  return { ...made, id, receipt: await issueReceipt(made.app, id) };
}

test("uses an answer with its receipt, without a token or cross-origin access", async () => {
  const { receipt } = await aReceipt();
  const first = await use({ receipt });
  expect([first.status, first.body]).toEqual([200, { usedAt: expect.any(Number), receipt: expect.any(String) }]);
  expect(first.headers.get("cache-control")).toBe("no-store");
  expect(first.headers.get("access-control-allow-origin")).toBeNull();
  expect((await use({ receipt })).body).toEqual(first.body);
  const other = await use({ receipt }, { "idempotency-key": "executor 2" });
  expect([other.status, other.body]).toMatchObject([409, { details: [{ reason: "used", usedBy: "receipt" }] }]);
});

test("accepts a receipt that a former key signed", async () => {
  const { receipt } = await aReceipt();
  await rotateReceiptKey();
  expect((await use({ receipt })).status).toBe(200);
});

test("rejects a receipt with a revoked key, and accepts the renewed receipt", async () => {
  const { app, receipt, id } = await aReceipt();
  await revokeReceiptKey((await signingKey()).kid, new Date(0));
  expect((await use({ receipt })).body).toMatchObject({ details: [invalid] });
  expect((await use({ receipt: await issueReceipt(app, id) })).status).toBe(200);
});

test("explains an invalid request and changes nothing", async () => {
  const { receipt, id } = await aReceipt();
  const used = await use({ receipt: "x.y.z" });
  expect([used.status, used.body]).toEqual([400, { error: "Bad request", details: [invalid] }]);
  const [head, body = "", signature] = receipt.split(".");
  const forged = Buffer.from(body, "base64url").toString().replace("ship", "skip");
  for (const wrong of [
    `${head}.${Buffer.from(forged).toString("base64url")}.${signature}`,
    `${head}.${body}.`,
    `${Buffer.from('{"alg":"none"}').toString("base64url")}.${body}.`,
  ])
    expect((await use({ receipt: wrong })).body).toMatchObject({ details: [invalid] });
  for (const [headers, message] of [
    [{}, "Send the Idempotency-Key header"],
    [{ "idempotency-key": " " }, "Idempotency-Key must be 1 to 255 printable ASCII characters"],
  ] as const)
    expect((await use({ receipt }, headers)).body).toMatchObject({ details: [{ path: "idempotencyKey", message }] });
  expect((await use({})).body).toMatchObject({ details: [{ path: "receipt" }] });
  expect((await use({ receipt, surprise: 1 })).body).toMatchObject({ details: [{ path: "surprise" }] });
  expect((await ask("GET", "/receipts/use")).status).toBe(405);
  const { rows } = await pool().query("SELECT FROM approval_use WHERE approval_id = $1", [id]);
  expect(rows).toEqual([]);
});

test("does not accept a use receipt as a receipt", async () => {
  const { receipt } = await aReceipt();
  const { body } = await use({ receipt });
  expect((await use({ receipt: (body as { receipt: string }).receipt })).status).toBe(400);
});

test("limits the attempts on one approval", async () => {
  const { receipt } = await aReceipt();
  const statuses: number[] = [];
  while (statuses.length < 40 && statuses.at(-1) !== 429) statuses.push((await use({ receipt })).status);
  expect(statuses.at(-1)).toBe(429);
  expect(statuses.slice(0, 20)).toEqual(Array(20).fill(200));
});
