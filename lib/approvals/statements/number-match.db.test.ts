import { expect, test } from "vitest";
import { db, pool } from "@/lib/database/db";
import { changeSettings } from "@/lib/owners/settings";
import { anAppWith } from "@/lib/testing/factories";
import { aQuestion } from "@/lib/testing/sample-question";
import { answerApproval, answerBatch } from "../answer";
import { getApproval, listApprovals, resolveApproval, submitApproval } from "../approvals";
import { contentHash } from "../content-hash";
import { sendAnswersNow, undoAnswers } from "../held-answers";
import { countInbox, readApproval } from "../inbox-queries";
import { searchApprovals } from "../search";
import { markUnexpected } from "../triage";
import { offerNumbers } from "./number-match";

const risky = { ...aQuestion, risk: "high" } as const;
const ship = { kind: "option", optionId: "ship" } as const;
const seen = contentHash(risky);

async function asked({ undoSeconds = 0 as 0 | 30, match = "47" } = {}) {
  const made = await anAppWith("approvals:write", "approvals:read", "approvals:resolve");
  await changeSettings(made.owner, { undoSeconds });
  const { id } = await submitApproval(made.app, { ...risky, match });
  const numbers = (await readApproval(made.owner, id)).match?.numbers ?? [];
  const wrong = numbers.find((number) => number !== match) as string;
  const answer = (picked?: string) => answerApproval(made.owner, id, ship, seen, { confirmed: true, picked: picked });
  const events = () =>
    db.event.findMany({
      where: { subject: id, type: { not: "approval.submitted" } },
      select: { type: true, data: true },
    });
  return { ...made, id, numbers, wrong, answer, events };
}
const unpicked = { status: 409, message: "Pick the number that the app shows, then answer." };
const closed = {
  status: 409,
  message: "The wrong number was picked, so the question was closed. The app can ask again.",
};
const reported = [{ type: "approval.unexpected", data: { number: "wrong" } }];

test("offers the right number at a random place among three distinct numbers", () => {
  const places = new Set<number>();
  for (let nth = 0; nth < 300; nth++) {
    const { number, offers } = offerNumbers("07");
    expect(number).toBe("07");
    expect(offers).toHaveLength(3);
    expect(new Set(offers).size).toBe(3);
    for (const offer of offers) expect(offer).toMatch(/^\d\d$/);
    places.add(offers.indexOf("07"));
  }
  expect([...places].sort()).toEqual([0, 1, 2]);
});

test("shows the same three numbers every time without marking the right number", async () => {
  const { owner, id, numbers } = await asked();
  expect(numbers).toContain("47");
  const again = await readApproval(owner, id);
  expect(again.match).toEqual({ numbers });
  expect(JSON.stringify(again).match(/"47"/g)).toHaveLength(1);
});

test("omits the number from API responses and events", async () => {
  const { app, id } = await asked();
  expect(JSON.parse((await getApproval(app, id)).text)).not.toHaveProperty("match");
  expect((await listApprovals(app, {})).text).not.toContain("match");
  const events = await db.event.findMany({ where: { subject: id } });
  expect(JSON.stringify(events.map(({ data }) => data))).not.toContain('"47"');
});

test("excludes the number from the content hash", async () => {
  const { owner, id } = await asked();
  expect((await readApproval(owner, id)).contentHash).toBe(seen);
});

test("records the answer after the owner picks the right number", async () => {
  const { owner, id, answer, events, numbers } = await asked();
  expect(await answer("47")).toMatchObject({ won: true, resolution: ship });
  expect((await readApproval(owner, id)).match).toEqual({ numbers, picked: "right" });
  expect((await events()).map(({ type }) => type)).toEqual(["approval.resolved"]);
});

test.each([0, 30] as const)("rejects an answer without a number (%i s undo period)", async (undoSeconds) => {
  const { owner, id, answer, events } = await asked({ undoSeconds });
  await expect(answer()).rejects.toMatchObject(unpicked);
  await expect(answerApproval(owner, id, { kind: "other", otherText: "No" }, seen)).rejects.toMatchObject(unpicked);
  expect(await events()).toEqual([]);
});

test.each([0, 30] as const)(
  "closes the question after the owner picks a wrong number (%i s undo period)",
  async (undoSeconds) => {
    const { owner, id, answer, events, wrong, numbers } = await asked({ undoSeconds });
    expect(await answer(wrong)).toEqual({ mismatched: true });
    for (const number of [undefined, "47", wrong]) await expect(answer(number)).rejects.toMatchObject(closed);
    expect(await readApproval(owner, id)).toMatchObject({
      status: "pending",
      match: { numbers, picked: "wrong" },
      triage: { unexpected: true },
    });
    expect(await events()).toEqual(reported);
  },
);

test.each(["", "4", "047", " 47", "４７", "NaN", "__proto__", "null"])("treats %j as a wrong number", async (text) => {
  const { answer, events } = await asked();
  expect(await answer(text)).toEqual({ mismatched: true });
  expect(await events()).toEqual(reported);
});

test("ignores a picked number if the question has no number", async () => {
  const { owner, app } = await anAppWith("approvals:write");
  await changeSettings(owner, { undoSeconds: 0 });
  const { id } = await submitApproval(app, risky);
  expect(await answerApproval(owner, id, ship, seen, { confirmed: true, picked: "12" })).toMatchObject({ won: true });
});

test("ignores a number picked for an outdated version of the question", async () => {
  const { owner, id, wrong, answer } = await asked();
  const old = `sha256:${"0".repeat(64)}`;
  await expect(answerApproval(owner, id, ship, old, { confirmed: true, picked: wrong })).rejects.toMatchObject({
    status: 409,
  });
  expect(await answer("47")).toMatchObject({ won: true });
});

test("discards a held answer after the owner picks a wrong number", async () => {
  const { owner, id, answer, wrong } = await asked({ undoSeconds: 30 });
  expect((await answer("47")).held).toBeDefined();
  expect(await answer(wrong)).toEqual({ mismatched: true });
  await sendAnswersNow(owner, [id]);
  expect(await readApproval(owner, id)).toMatchObject({ status: "pending", match: { picked: "wrong" } });
});

test("discards a concurrently held answer after the owner picks a wrong number", async () => {
  const { owner, id, answer, wrong } = await asked({ undoSeconds: 30 });
  await answer("47");
  await pool().query("UPDATE approval SET picked = $2 WHERE id = $1", [id, wrong]);
  await sendAnswersNow(owner, [id]);
  const { status, triage } = await readApproval(owner, id);
  expect({ status, held: triage.held }).toEqual({ status: "pending", held: undefined });
});

test("accepts another answer without a number after an undo", async () => {
  const { owner, id, answer } = await asked({ undoSeconds: 30 });
  await answer("47");
  await undoAnswers(owner, [id]);
  expect(
    (await answerApproval(owner, id, { ...ship, optionId: "wait" }, seen, { confirmed: true })).held,
  ).toBeDefined();
});

test("accepts at most one of several concurrently picked numbers", async () => {
  for (let round = 0; round < 10; round++) {
    const { owner, id, numbers, answer } = await asked();
    const results = await Promise.allSettled(numbers.map((number) => answer(number)));
    const { status, match } = await readApproval(owner, id);
    const won = results.some((it) => it.status === "fulfilled" && "won" in it.value && it.value.won);
    expect({ status, picked: match?.picked }).toEqual(
      won ? { status: "resolved", picked: "right" } : { status: "pending", picked: "wrong" },
    );
  }
});

test("excludes a question from the pending count after the owner picks a wrong number", async () => {
  const { owner, id, answer, wrong } = await asked();
  const listed = async (list: "waiting" | "asked") =>
    (await searchApprovals(owner, { list })).approvals.map(({ _id }) => _id);
  expect([await listed("waiting"), await listed("asked")]).toEqual([[id], []]);
  await answer(wrong);
  expect([await listed("waiting"), await listed("asked")]).toEqual([[], [id]]);
  expect(await countInbox(owner)).toMatchObject({ waiting: 0, folds: { asked: 1 } });
  expect((await readApproval(owner, id)).triage).toMatchObject({ askedBack: true });
});

test("rejects batch answers and the app's own answers to a question with a number", async () => {
  const { owner, app, id } = await asked();
  await expect(resolveApproval(app, id, ship)).rejects.toMatchObject({
    status: 403,
    details: [{ path: "id", message: "Only the owner may answer this approval" }],
  });
  await expect(answerBatch(owner, [{ id, seen }], ship)).rejects.toMatchObject({ status: 400 });
});

test("accepts a simulated answer without a number", async () => {
  const { owner, id } = await asked();
  await resolveApproval(owner, id, ship, { contentHash: seen, simulated: true });
  expect(await readApproval(owner, id)).toMatchObject({ status: "resolved", resolution: ship });
});

test("rejects a simulated answer after the owner picks a wrong number", async () => {
  const { owner, id, answer, wrong } = await asked();
  await answer(wrong);
  await expect(resolveApproval(owner, id, ship, { contentHash: seen, simulated: true })).rejects.toMatchObject(closed);
});

test("lets the owner mute the app after a wrong number", async () => {
  const { owner, id, answer, wrong, events } = await asked();
  await answer(wrong);
  await markUnexpected(owner, id, "mute");
  expect((await readApproval(owner, id)).app.muted).toBe(true);
  expect((await events()).filter(({ type }) => type === "approval.unexpected")).toEqual([
    ...reported,
    { type: "approval.unexpected", data: { reaction: "mute" } },
  ]);
});

test("ignores a number that another owner picked", async () => {
  const { id, wrong, answer } = await asked();
  const { owner: stranger } = await anAppWith("approvals:write");
  await expect(answerApproval(stranger, id, ship, seen, { confirmed: true, picked: wrong })).rejects.toMatchObject({
    status: 404,
  });
  expect(await answer("47")).toMatchObject({ won: true });
});
