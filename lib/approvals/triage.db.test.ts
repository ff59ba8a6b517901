import { expect, test } from "vitest";
import { db, pool } from "@/lib/database/db";
import { subscribe } from "@/lib/events/pubsub";
import { updateAppPreferences } from "@/lib/grants/app-preferences";
import { revokeGrant } from "@/lib/grants/grants";
import { newId } from "@/lib/ids";
import { readLiveCounts } from "@/lib/live-counts/live-counts";
import { changeSettings } from "@/lib/owners/settings";
import { answerApproval, answerTogether } from "@/lib/testing/answer-approval";
import { anApp, anAppWith, anOwner, aTokenFor } from "@/lib/testing/factories";
import { getApproval, resolveApproval, submitApproval } from "./approvals";
import { undoAnswers } from "./held-answers";
import { countInbox, readApproval } from "./inbox-queries";
import { searchApprovals } from "./search";
import { markSeen, markUnexpected, returnDueSnoozed, snoozeApprovals, unsnoozeApprovals } from "./triage";

const yes = { kind: "option", optionId: "yes" } as const;
const options = [
  { id: "yes", label: "Yes" },
  { id: "no", label: "No" },
];
const inbox = async () => {
  const made = await anAppWith("approvals:write", "approvals:read", "approvals:resolve");
  const submit = async (question = "Ship it?") => (await submitApproval(made.app, { question, options })).id;
  const badge = async () => (await readLiveCounts({ ...made.owner, session: "none" })).pending;
  return { ...made, submit, badge };
};
const ids = async (page: Promise<{ approvals: { _id: string }[] }>) => (await page).approvals.map(({ _id }) => _id);
const hour = { choice: "hour", timeZone: "UTC" } as const;
const over = (id: string) =>
  pool().query("UPDATE approval_triage SET snoozed_until = now() - interval '1 second' WHERE approval_id = $1", [id]);

test("hides a snoozed question from the inbox without notifying the app", async () => {
  const { owner, app, submit, badge } = await inbox();
  const [one, two] = [await submit("One?"), await submit("Two?")];
  await markSeen(owner, [one], true);
  const before = (await getApproval(app, one)).text;
  const until = await snoozeApprovals(owner, [one], hour);
  expect(Math.abs(until - Date.now() - 3_600_000)).toBeLessThan(60_000);
  expect(await ids(searchApprovals(owner, { list: "waiting" }))).toEqual([two]);
  expect(await ids(searchApprovals(owner, { list: "snoozed" }))).toEqual([one]);
  expect((await readApproval(owner, one)).triage.snoozedUntil).toBe(until);
  expect(await countInbox(owner)).toMatchObject({ waiting: 1, snoozed: 1, passed: 0 });
  expect(await badge()).toBe(1);
  expect((await getApproval(app, one)).text).toBe(before);

  expect(await returnDueSnoozed()).toBe(0);
  await over(one);
  // The question returns on time even before the chore runs.
  expect(await ids(searchApprovals(owner, { list: "waiting" }))).toEqual([one, two]);
  let heard = 0;
  const stop = subscribe(owner.ownerId, () => heard++);
  const returned = await Promise.all([returnDueSnoozed(), returnDueSnoozed()]);
  expect(returned.sort()).toEqual([0, 1]);
  expect(heard).toBeGreaterThan(0);
  expect(await badge()).toBe(2);
  expect((await readApproval(owner, one)).triage).toMatchObject({ seen: false });
  stop();
});

test("lets the owner unsnooze or answer a snoozed question", async () => {
  const { owner, submit } = await inbox();
  const id = await submit();
  await snoozeApprovals(owner, [id], hour);
  await unsnoozeApprovals(owner, [id]);
  expect(await ids(searchApprovals(owner, { list: "waiting" }))).toEqual([id]);
  await snoozeApprovals(owner, [id], hour);
  expect(await answerApproval(owner, id, yes)).toMatchObject({ won: true });
  expect(await ids(searchApprovals(owner, { list: "snoozed" }))).toEqual([]);
  expect((await readApproval(owner, id)).triage.snoozedUntil).toBeUndefined();
  await expect(snoozeApprovals(owner, [id], hour)).rejects.toMatchObject({ status: 409 });
  const other = await anOwner();
  for (const wrong of [[newId("apr")], []]) {
    await expect(snoozeApprovals(owner, wrong, hour)).rejects.toMatchObject({ status: 404 });
    await expect(unsnoozeApprovals(owner, wrong)).rejects.toMatchObject({ status: 404 });
  }
  await expect(snoozeApprovals(other, [id], hour)).rejects.toMatchObject({ status: 404 });
});

test("hides a muted app's questions from the inbox", async () => {
  const { owner, submit, badge, clientId } = await inbox();
  const id = await submit();
  const loud = await anApp(owner);
  const { app } = await aTokenFor(owner, loud.clientId, ["approvals:write"]);
  const { id: heard } = await submitApproval(app, { question: "Pay it?", options });
  await updateAppPreferences(owner, clientId, { questionsMuted: true });
  expect(await ids(searchApprovals(owner, { list: "waiting" }))).toEqual([heard]);
  expect(await ids(searchApprovals(owner, { list: "muted" }))).toEqual([id]);
  expect(await countInbox(owner)).toMatchObject({ waiting: 1, snoozed: 0, passed: 0 });
  expect(await badge()).toBe(1);
  expect((await readApproval(owner, id)).app).toMatchObject({ muted: true });
  // A revoked app's question stays in the list, so the badge counts it too.
  await revokeGrant(owner, loud.clientId);
  expect(await badge()).toBe(1);
  expect(await ids(searchApprovals(owner, { list: "waiting" }))).toEqual([heard]);
  await updateAppPreferences(owner, clientId, { questionsMuted: false });
  expect(await badge()).toBe(2);
  expect(await ids(searchApprovals(owner, { list: "waiting" }))).toEqual([id, heard]);
});

test("applies the chosen reaction to an unexpected question", async () => {
  const { owner, submit, clientId } = await inbox();
  const id = await submit();
  await markUnexpected(owner, id, "note");
  const marked = { triage: { unexpected: true }, app: { muted: false, revoked: false } };
  expect(await readApproval(owner, id)).toMatchObject(marked);
  await markUnexpected(owner, id, "mute");
  expect(await readApproval(owner, id)).toMatchObject({ app: { muted: true, revoked: false } });
  await markUnexpected(owner, id, "revoke");
  expect(await readApproval(owner, id)).toMatchObject({ app: { muted: true, revoked: true } });
  // Revoking an app that is already revoked succeeds.
  await markUnexpected(owner, id, "revoke");
  const events = await db.event.findMany({ where: { ownerId: owner.ownerId, type: "approval.unexpected" } });
  expect(events).toMatchObject([{ subject: id, appId: clientId, data: { reaction: "note" } }]);
  expect(await db.event.count({ where: { ownerId: owner.ownerId, type: "grant.revoked" } })).toBe(1);
  expect((await answerApproval(owner, id, yes)).won).toBe(true);
  await expect(markUnexpected(await anOwner(), id, "revoke")).rejects.toMatchObject({ status: 404 });
});

test("lets only the owner mark a question as seen or unseen", async () => {
  const { owner, submit } = await inbox();
  const id = await submit();
  const seen = async () => (await readApproval(owner, id)).triage.seen;
  await markSeen(await anOwner(), [id, "nonsense"], true);
  expect(await seen()).toBe(false);
  await markSeen(owner, [id, newId("apr")], true);
  expect(await seen()).toBe(true);
  await markSeen(owner, [id], false);
  expect(await seen()).toBe(false);
});

test("numbers the questions that an app asks in a day", async () => {
  const { owner, submit } = await inbox();
  const made = [await submit(), await submit(), await submit()];
  const triaged = (await searchApprovals(owner, { list: "waiting" })).approvals.map(({ triage }) => [
    triage.nthToday,
    triage.first,
  ]);
  expect(triaged).toEqual([
    [1, true],
    [2, false],
    [3, false],
  ]);
  expect((await readApproval(owner, made[2] as string)).triage.nthToday).toBe(3);
});

test("answers the remaining questions of a batch if one question was already answered", async () => {
  const { owner, app, submit } = await inbox();
  const many = [await submit("One?"), await submit("Two?"), await submit("Three?")] as const;
  await resolveApproval(app, many[1], { kind: "option", optionId: "no" });
  const outcomes = await answerTogether(owner, [...many, many[0]], { ...yes, note: "All of them" });
  expect(outcomes).toMatchObject([
    { id: many[0], won: true, resolution: { ...yes, note: "All of them" } },
    { id: many[1], won: false, resolution: { optionId: "no", resolvedBy: "api" } },
    { id: many[2], won: true, resolution: { resolvedBy: "owner" } },
  ]);
});

test("undoes several held answers in one call", async () => {
  const { owner, submit } = await inbox();
  await changeSettings(owner, { undoSeconds: 30 });
  const many = [await submit("One?"), await submit("Two?")];
  const outcomes = await answerTogether(owner, many, yes);
  expect(outcomes.map((it) => "held" in it && it.held?.answer)).toEqual([yes, yes]);
  expect(await undoAnswers(owner, many)).toEqual({ undone: many, sent: [] });
  expect(await ids(searchApprovals(owner, { list: "waiting" }))).toEqual(many);
});

test("rejects a batch answer for questions with different apps or options", async () => {
  const { owner, app, submit } = await inbox();
  const id = await submit();
  const stranger = await aTokenFor(owner, (await anApp(owner)).clientId, ["approvals:write"]);
  const unlike = [
    (await submitApproval(stranger.app, { question: "Ship it?", options })).id,
    (await submitApproval(app, { question: "Ship it?", options: [{ id: "yes", label: "No" }] })).id,
    (await submitApproval(app, { question: "Ship it?", options: [...options].reverse() })).id,
    (
      await submitApproval(app, {
        question: "Ship it?",
        options: options.map((option) => ({ ...option, style: "danger" as const })),
      })
    ).id,
  ];
  for (const other of unlike)
    await expect(answerTogether(owner, [id, other], yes)).rejects.toMatchObject({ status: 400 });
  await expect(answerTogether(await anOwner(), [id], yes)).rejects.toMatchObject({ status: 404 });
  expect((await countInbox(owner)).waiting).toBe(5);
});
