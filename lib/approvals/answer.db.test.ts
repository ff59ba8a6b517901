import pg from "pg";
import { afterEach, expect, test, vi } from "vitest";
import { updateAppPreferences } from "@/lib/grants/app-preferences";
import { changeSettings } from "@/lib/owners/settings";
import { anAppWith, anOwner } from "@/lib/testing/factories";
import { answerApproval, answerBatch } from "./answer";
import { resolveApproval, submitApproval } from "./approvals";
import { readApproval } from "./inbox-queries";

const yes = { kind: "option", optionId: "yes" } as const;
const no = { kind: "option", optionId: "no" } as const;
const options = [
  { id: "yes", label: "Yes" },
  { id: "no", label: "No" },
];
afterEach(() => vi.restoreAllMocks());

async function asked() {
  const { owner, app, clientId } = await anAppWith("approvals:write", "approvals:resolve");
  const { id } = await submitApproval(app, { question: "Ship it?", options });
  const { contentHash: seen } = await readApproval(owner, id);
  return { owner, app, clientId, id, seen };
}

/** The text that identifies a statement, and its name in this test. */
const kinds = {
  "UPDATE approval a SET status": "resolve-approval",
  "INSERT INTO approval_triage": "hold-answer",
  "SELECT a.resolution, d.held_answer": "read-held",
  "SELECT app_id, options": "answer-together",
  pg_notify: "notify",
};

/**
 * Runs `work`, and returns the kinds of statements that mention a subject, on any connection.
 * "BEGIN" precedes a transaction's first such statement. Other statements may belong to unfinished
 * work of earlier tests.
 */
async function statements<T>(about: string, work: () => Promise<T>): Promise<{ value: T; names: string[] }> {
  const query = vi.spyOn(pg.Client.prototype, "query");
  const value = await work();
  const names: string[] = [];
  const begun = new Set<unknown>();
  for (const [at, [it]] of query.mock.calls.entries()) {
    const client = query.mock.contexts[at];
    const { text, values = [] } = (typeof it === "string" ? { text: it } : it) as { text: string; values?: unknown[] };
    if (/^begin\b/i.test(text)) begun.add(client);
    if (/^(commit|rollback)\b/i.test(text)) begun.delete(client);
    const name = Object.entries(kinds).find(([part]) => text.includes(part))?.[1] ?? text;
    // Open pages are notified in a batched statement, for which no answer waits.
    if (name === "notify" || !JSON.stringify(values).includes(about)) continue;
    if (begun.delete(client)) names.push("BEGIN");
    names.push(name);
  }
  vi.restoreAllMocks();
  return { value, names };
}

test("records an answer with two SQL statements", async () => {
  const { owner, id, seen } = await asked();
  const { value, names } = await statements(id, () => answerApproval(owner, id, { ...yes, note: "Go" }, seen));
  expect(value).toEqual({
    won: true,
    resolution: { ...yes, note: "Go", resolvedBy: "owner", resolvedAt: expect.any(Number) },
  });
  expect(value.resolution).toEqual((await readApproval(owner, id)).resolution);
  expect(names).toHaveLength(2);
});

test("holds an answer with at most two SQL statements", async () => {
  const { owner, id, seen } = await asked();
  await changeSettings(owner, { undoSeconds: 30 });
  const first = await statements(id, () => answerApproval(owner, id, yes, seen));
  const { held } = (await readApproval(owner, id)).triage;
  expect(first.value.held).toEqual({ ...held, leftMs: expect.any(Number) });
  const second = await statements(id, () => answerApproval(owner, id, no, seen));
  expect(second.value.held).toMatchObject({ answer: yes, commitAt: held?.commitAt });
  expect([first.names.length, second.names.length]).toEqual([1, 2]);
});

test("uses only one SQL statement for a late answer", async () => {
  for (const undoSeconds of [0, 30] as const) {
    const { owner, app, id, seen } = await asked();
    await changeSettings(owner, { undoSeconds });
    await resolveApproval(app, id, no);
    const { value, names } = await statements(id, () => answerApproval(owner, id, yes, seen));
    expect(value).toMatchObject({ won: false, resolution: { ...no, resolvedBy: "api" } });
    expect(names).toHaveLength(1);
  }
});

test("returns the same resolution to two concurrent answers", async () => {
  const { owner, id, seen } = await asked();
  const both = await Promise.all([answerApproval(owner, id, yes, seen), answerApproval(owner, id, no, seen)]);
  expect(both.map(({ won }) => won).sort()).toEqual([false, true]);
  expect(both[0]?.resolution).toEqual(both[1]?.resolution);
});

test("requires confirmation if the owner turned on confirmation for the app or all answers", async () => {
  const { owner, clientId, id, seen } = await asked();
  const unconfirmed = () => statements(id, () => answerApproval(owner, id, yes, seen));
  await changeSettings(owner, { alwaysConfirm: true, undoSeconds: 30 });
  expect(await unconfirmed()).toEqual({ value: { unconfirmed: true }, names: [expect.any(String)] });
  await changeSettings(owner, { alwaysConfirm: false, undoSeconds: 0 });
  await updateAppPreferences(owner, clientId, { alwaysConfirm: true });
  expect((await unconfirmed()).value).toEqual({ unconfirmed: true });
  expect((await readApproval(owner, id)).status).toBe("pending");
  expect(await answerApproval(owner, id, { kind: "other", otherText: "Later" }, seen)).toMatchObject({
    won: true,
  });
  await expect(answerApproval(await anOwner(), id, yes, seen)).rejects.toMatchObject({ status: 404 });
});

test("requires confirmation of a high-risk answer regardless of settings", async () => {
  const { owner, app } = await asked();
  const { id } = await submitApproval(app, { question: "Delete it all?", options, risk: "high" });
  const { contentHash: seen } = await readApproval(owner, id);
  for (const undoSeconds of [0, 30] as const) {
    await changeSettings(owner, { undoSeconds });
    const { value, names } = await statements(id, () => answerApproval(owner, id, yes, seen));
    expect([value, names.length]).toEqual([{ unconfirmed: true }, 1]);
    expect(await readApproval(owner, id)).toMatchObject({ status: "pending", triage: { seen: false } });
    expect((await readApproval(owner, id)).triage.held).toBeUndefined();
  }
  expect((await answerApproval(owner, id, yes, seen, { confirmed: true })).held).toMatchObject({ answer: yes });
  await changeSettings(owner, { undoSeconds: 0 });
  for (const risk of ["low", "normal"] as const) {
    const other = (await submitApproval(app, { question: "Ship it?", options, risk })).id;
    const { contentHash } = await readApproval(owner, other);
    expect(await answerApproval(owner, other, yes, contentHash)).toMatchObject({ won: true });
  }
});

test("rejects high-risk questions in a batch answer", async () => {
  const { owner, app, id, seen } = await asked();
  const { id: risky } = await submitApproval(app, { question: "Delete it all?", options, risk: "high" });
  const it = { id: risky, seen: (await readApproval(owner, risky)).contentHash };
  for (const several of [[{ id, seen }, it], [it]])
    await expect(answerBatch(owner, several, yes)).rejects.toMatchObject({
      status: 400,
      details: [{ path: "ids", message: "Answer high-risk questions one at a time" }],
    });
  for (const each of [id, risky]) expect((await readApproval(owner, each)).status).toBe("pending");
});

test("rejects questions with fields in a batch answer", async () => {
  const { owner, app, id, seen } = await asked();
  const fields = { type: "object" as const, properties: { note: { type: "string" as const } } };
  const [first, second] = options;
  const more = { question: "Ship it?", fields, options: [first!, { ...second!, fields: true }] };
  const { id: filled } = await submitApproval(app, more);
  const it = { id: filled, seen: (await readApproval(owner, filled)).contentHash };
  for (const several of [[{ id, seen }, it], [it]])
    for (const answer of [yes, no])
      await expect(answerBatch(owner, several, answer)).rejects.toMatchObject({
        status: 400,
        details: [{ path: "ids", message: "Answer questions with fields one at a time" }],
      });
  for (const each of [id, filled]) expect((await readApproval(owner, each)).status).toBe("pending");
});

test("records each answer of a batch with two SQL statements", async () => {
  const { owner, app, id, seen } = await asked();
  const { id: other } = await submitApproval(app, { question: "Ship it too?", options });
  const several = [
    { id, seen },
    { id: other, seen: (await readApproval(owner, other)).contentHash },
  ];
  const { value, names } = await statements(owner.ownerId, () => answerBatch(owner, several, yes));
  expect(value.map((it) => "won" in it && it.won)).toEqual([true, true]);
  expect(names).toHaveLength(5);
});
