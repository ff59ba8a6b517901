import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, expect } from "vitest";
import { answerApproval } from "@/lib/approvals/answer";
import { resolveApproval } from "@/lib/approvals/approvals";
import { contentHash } from "@/lib/approvals/content-hash";
import { Countersign } from "@/lib/client/countersign";
import { pool } from "@/lib/database/db";
import { createHttpServer } from "@/lib/http/server";
import { changeSettings } from "@/lib/owners/settings";
import { publicKeys } from "@/lib/receipts/receipt-keys";
import { issueReceipt } from "@/lib/receipts/receipts";
import { configure } from "@/lib/testing/change-settings";
import { eventually } from "@/lib/testing/eventually";
import { anAppWith } from "../factories";
import { aPasskeyFor, seenBy, signed } from "../sign-answers";

/*
 * Runs the documentation's code unchanged, except for the URL, the port and the token. The owner
 * chooses the first option of every question, except in questions about build 417.
 */

const { server, drain } = createHttpServer(async (req, res) => {
  if (req.url === "/.well-known/jwks.json") res.end(JSON.stringify({ keys: await publicKeys() }));
  else if (req.url?.startsWith("/client/")) res.end(readFileSync(join("public", req.url)));
  else res.writeHead(404).end();
});
await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
export const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const folder = mkdtempSync(join(tmpdir(), "countersign-snippets-"));
beforeAll(() => {
  configure({ PUBLIC_URL: baseUrl });
});
afterAll(async () => {
  await drain(500);
  configure({ PUBLIC_URL: undefined });
  rmSync(folder, { recursive: true, force: true });
});

/** Creates a folder with one file. @returns its path */
export function aFolder(name: string, file = "", text = ""): string {
  const path = join(folder, name);
  mkdirSync(path, { recursive: true });
  if (file) writeFileSync(join(path, file), text);
  return path;
}

/** Creates an app with an owner who answers, and the environment for its programs. */
export async function anAnsweredApp() {
  const made = await anAppWith(
    "approvals:write",
    "approvals:read",
    "approvals:resolve",
    "notifications:write",
    "notifications:read",
  );
  const client = new Countersign({ baseUrl, token: made.token });
  const looking = setInterval(async () => {
    const { data } = await client.approvals.list({ status: "pending" }).catch(() => ({ data: [] }));
    for (const { _id, question, options } of data)
      if (!question.includes("417"))
        await resolveApproval(made.owner, _id, { kind: "option", optionId: options[0]?.id ?? "" }).catch(() => {});
  }, 100);
  afterAll(() => clearInterval(looking));
  return { ...made, client, environment: { COUNTERSIGN_URL: baseUrl, COUNTERSIGN_TOKEN: made.token } };
}

/** Asserts that the documentation's main calls, in any language, left the expected records. */
export async function expectMainCalls({ client }: Awaited<ReturnType<typeof anAnsweredApp>>) {
  const { data } = await client.approvals.list();
  expect(data.map(({ question, resolution }) => [question, resolution?.optionId, resolution?.resolvedBy])).toEqual([
    ["Keep build 417?", "wait", "api"],
    ["Ship build 419?", "ship", "owner"],
  ]);
  expect((await client.notifications.list()).data.map(({ title, type }) => [title, type])).toEqual([
    ["Build 419 is live", "deploy.done"],
  ]);
}

/** Returns an answer's receipt, and the values that a verifier should expect. */
export async function anAnswer() {
  const { client, owner, clientId } = await anAnsweredApp();
  const question = {
    question: "Wipe it?",
    options: [
      { id: "ship", label: "Wipe" },
      { id: "keep", label: "Keep" },
    ],
  };
  const id = await client.approvals.create(question);
  await client.approvals.wait(id);
  const hash = contentHash(question);
  return {
    receipt: await client.approvals.receipt(id),
    clientId,
    owner: owner.ownerId,
    approvalId: id,
    contentHash: hash,
    question,
  };
}

/**
 * Returns the receipt of an answer that the owner's passkey signed, and what its verifier knows.
 * `forged` returns the receipt after the operator has altered the answer in the database.
 */
export async function aSignedAnswer() {
  const { app, owner, clientId, token } = await anAppWith("approvals:write", "approvals:read");
  await changeSettings(owner, { undoSeconds: 0 });
  const device = await aPasskeyFor(owner, "Phone", { origin: baseUrl });
  const content = {
    question: "Pay invoice 7?",
    facts: [{ label: "Amount", value: "86.40 €" }],
    options: [
      { id: "pay", label: "Pay" },
      { id: "keep", label: "Not yet" },
    ],
    signedByOwner: true,
  } as const;
  const client = new Countersign({ baseUrl, token });
  const approvalId = await client.approvals.create(structuredClone(content) as never);
  const askedAt = Date.now();
  const pay = { kind: "option", optionId: "pay" } as const;
  const [{ seen } = { seen: "" }] = await seenBy(owner, [approvalId]);
  const signature = await signed(owner, device, [approvalId], pay, { origin: baseUrl });
  await answerApproval(owner, approvalId, pay, seen, { signature });
  const receipt = await issueReceipt(app, approvalId);
  return {
    receipt,
    asked: { app: clientId, content, approvalId, askedAt },
    client,
    environment: { COUNTERSIGN_URL: baseUrl, COUNTERSIGN_TOKEN: token },
    async forged() {
      await pool().query(
        `BEGIN; SET LOCAL session_replication_role = replica;
         UPDATE approval SET resolution = (resolution::jsonb || '{"optionId":"keep"}')::json WHERE id = '${approvalId}'; COMMIT`,
      );
      return issueReceipt(app, approvalId);
    },
  };
}

/** Starts the documented receiver, and asserts that it accepts only signed messages. */
export async function expectReceives(program: string, args: string[], cwd: string, port: number): Promise<void> {
  const secret = `whsec_${Buffer.from("of whom receivers take their events").toString("base64")}`;
  const child = spawn(program, args, { cwd, env: { ...process.env, WEBHOOK_SECRET: secret }, detached: true });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (text) => (output += text));
  try {
    const body = JSON.stringify({
      id: "evt_1",
      type: "approval.resolved",
      createdAt: 1,
      sub: "own_1",
      data: { id: "apr_1" },
    });
    const send = async (text: string, at = new Date()) => {
      const headers = {
        "webhook-id": "evt_1",
        "webhook-timestamp": String(Math.floor(at.getTime() / 1000)),
        "webhook-signature": new Webhook(secret).sign("evt_1", at, body),
      };
      return (await fetch(`http://127.0.0.1:${port}/hooks`, { method: "POST", headers, body: text })).status;
    };
    await eventually(async () => expect(await send(body), output).toBe(204));
    expect(await send(`${body} `)).toBe(400);
    expect(await send(body, new Date(Date.now() - 3_600_000))).toBe(400);
    await eventually(() => expect(output).toContain("evt_1"));
  } finally {
    // Ends the process group, because `go run` starts a child process.
    if (child.pid) process.kill(-child.pid, "SIGKILL");
  }
}
