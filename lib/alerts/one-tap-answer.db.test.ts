import { afterAll, beforeEach, expect, it } from "vitest";
import { submitApproval } from "@/lib/approvals/approvals";
import { db, pool } from "@/lib/database/db";
import { homeOf } from "@/lib/database/shards/homes";
import { revokeGrant } from "@/lib/grants/grants";
import { newId } from "@/lib/ids";
import { sign } from "@/lib/keys/crypto";
import type { Settings } from "@/lib/owners/schema";
import { createSession } from "@/lib/owners/sessions";
import { changeSettings } from "@/lib/owners/settings";
import { answerApproval } from "@/lib/testing/answer-approval";
import { configure } from "@/lib/testing/change-settings";
import { alertOwners } from "@/lib/testing/chores";
import { anAppWith, letIn } from "@/lib/testing/factories";
import { aPushService } from "@/lib/testing/fake-push-service";
import { testShards } from "@/lib/testing/shards/shard-count";
import { addDevice, listDevices, removeDevice } from "./devices";
import { answerFromAlert } from "./one-tap-answer";
import type { ShowMessage } from "./push-schema";

const service = await aPushService();
configure({ ALLOW_PRIVATE_FETCH: service.origin });
afterAll(() => service.close());
beforeEach(async () => {
  await db.pushSubscription.deleteMany();
  service.pushed.length = 0;
});

const lowRisk = {
  question: "Tidy the cache?",
  options: [
    { id: "y", label: "Tidy it" },
    { id: "n", label: "Leave it" },
  ],
  risk: "low" as const,
};
const chrome = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/149.0 Safari/537.36";

/**
 * Asks a question of a new owner who has two browsers and allows answers from alerts. Returns the
 * first browser's alert and both browsers' tickets, among others.
 */
async function asked(settings: Partial<Settings> = {}, what: object = {}) {
  const { owner, app, clientId, name } = await anAppWith("approvals:write");
  await changeSettings(owner, { lockScreen: "full", answerFromAlerts: true, undoSeconds: 0, ...settings });
  const entrance = { ownerId: owner.ownerId, sessionVersion: 1 };
  for (let browsers = 0; browsers < 2; browsers++) {
    const { id: session } = await createSession(entrance, {
      method: "password",
      userAgent: chrome,
      address: "127.0.0.1",
    });
    owner.session = session;
    await addDevice(owner, service.browser().subscription, chrome);
  }
  const before = service.pushed.length;
  const { id } = await submitApproval(app, { ...lowRisk, ...what });
  await alertOwners();
  const [one, other] = service.pushed
    .slice(before)
    .map(({ message }) => (message as unknown as ShowMessage).notification);
  const ticket = one?.data?.ticket ?? "";
  return { owner, clientId, name, id, shown: one!, ticket, otherTicket: other?.data?.ticket ?? "" };
}
const decided = async (id: string) => {
  const { resolution } = await db.approval.findUniqueOrThrow({ where: { id } });
  return resolution as { optionId?: string; resolvedBy?: string } | null;
};

it("offers both options as buttons in the alert", async () => {
  const { owner, id, name, clientId, shown, ticket } = await asked();
  const navigate = `http://localhost:3000/approvals/${id}`;
  expect(shown).toEqual({
    title: `${name} asks · low risk`,
    body: "Tidy the cache?",
    lang: "en",
    dir: "auto",
    tag: id,
    navigate,
    requireInteraction: true,
    actions: [
      { action: "answer-0", title: "Tidy it", navigate },
      { action: "answer-1", title: "Leave it", navigate },
      { action: "freeze", title: "Freeze all apps", navigate: "http://localhost:3000/frozen" },
    ],
    data: { ticket },
  });
  expect(await answerFromAlert(ticket, 1)).toEqual({
    title: "Answered · Leave it",
    body: "Tidy the cache?",
    link: `/approvals/${id}`,
  });
  expect(await decided(id)).toMatchObject({ optionId: "n", resolvedBy: "owner" });
  const [pressed] = await db.event.findMany({ where: { ownerId: owner.ownerId, type: "approval.pressed" } });
  expect(pressed).toMatchObject({ subject: id, appId: clientId, data: { on: "Chrome on Linux" } });
});

it("shows the question's facts in the alert", async () => {
  const facts = [
    { label: "Size", value: "4 GB" },
    { label: "Host", value: "build-2" },
  ];
  const { shown } = await asked({}, { facts });
  expect(shown.body).toBe("Tidy the cache?\nSize: 4 GB\nHost: build-2");
  expect(shown.actions.map(({ title }) => title)).toEqual(["Tidy it", "Leave it", "Freeze all apps"]);
  const long = await asked({}, { facts: [...facts, { label: "Path", value: "x".repeat(200) }] });
  expect(long.ticket).toBe("");
});

it("fits the longest question with answer buttons into a push message", async () => {
  const wide = (many: number) => "𝕏".repeat(many);
  const options = [
    { id: wide(100), label: wide(40) },
    { id: wide(99), label: wide(39) },
  ];
  const { ticket } = await asked({}, { question: wide(240), options });
  expect(ticket).not.toBe("");
  expect(Math.max(...service.pushed.map(({ bytes }) => bytes))).toBeLessThan(4096);
});

it("rejects a used answer ticket even after an undo", async () => {
  const { id, ticket, otherTicket } = await asked({ undoSeconds: 30 });
  const told = await answerFromAlert(ticket, 0);
  expect(told?.body).toBe("Tidy the cache?\nTo undo, open the question within 30 seconds.");
  expect(await decided(id)).toBeNull();
  await db.$executeRaw`UPDATE approval_triage SET held_answer = NULL, commit_at = NULL, held_hash = NULL WHERE approval_id = ${id}`;
  expect(await answerFromAlert(ticket, 0)).toBeUndefined();
  expect(await decided(id)).toBeNull();
  // The other browser has a different ticket.
  expect(await answerFromAlert(otherTicket, 1)).toMatchObject({ title: "Answered · Leave it" });
});

it("records an answer that arrives before its alert is marked as sent", async () => {
  const { id, ticket } = await asked();
  await db.alertDelivery.updateMany({ data: { endedAt: null, outcome: null } });
  expect(await answerFromAlert(ticket, 0)).toMatchObject({ title: "Answered · Tidy it" });
  expect(await decided(id)).toMatchObject({ optionId: "y" });
});

it("accepts only one of several concurrent presses on answer buttons", async () => {
  const { id, ticket, otherTicket } = await asked();
  const told = await Promise.all([
    answerFromAlert(ticket, 0),
    answerFromAlert(ticket, 1),
    answerFromAlert(otherTicket, 1),
  ]);
  const answered = told.filter((it) => it?.title.startsWith("Answered"));
  expect(answered).toHaveLength(1);
  expect(answered[0]?.title).toBe((await decided(id))?.optionId === "y" ? "Answered · Tidy it" : "Answered · Leave it");
});

it("reports that the owner already answered the question", async () => {
  const { owner, id, ticket } = await asked();
  await answerApproval(owner, id, { kind: "option", optionId: "n" });
  expect(await answerFromAlert(ticket, 0)).toMatchObject({
    title: "Already answered",
    body: "You answered “Leave it”.",
  });
  expect(await decided(id)).toMatchObject({ optionId: "n" });
});

it("explains why an answer to a disconnected app's question was rejected", async () => {
  const { owner, clientId, name, id, ticket } = await asked();
  await revokeGrant(owner, clientId);
  expect(await answerFromAlert(ticket, 0)).toEqual({
    title: "Couldn’t send your answer",
    body: `${name} is no longer connected. Open the question to answer.`,
    link: `/approvals/${id}`,
  });
  expect(await decided(id)).toBeNull();
  expect(await db.event.count({ where: { ownerId: owner.ownerId, type: "approval.pressed" } })).toBe(0);
  // The rejected press did not consume the ticket.
  await letIn(owner, clientId);
  expect(await answerFromAlert(ticket, 0)).toMatchObject({ title: "Answered · Tidy it" });
});

it("names the owner's home in an alert's ticket", async () => {
  const { owner, ticket, otherTicket } = await asked();
  const home = homeOf(owner.ownerId);
  expect([ticket, otherTicket].map((it) => homeOf(it.split(".")[0] ?? ""))).toEqual([home, home]);
});

// The ID counts as home 0, which is on one shard, while the owner is on any.
it.skipIf(testShards > 0)("accepts the ticket of an alert from before homes", async () => {
  const { id, ticket } = await asked();
  const [alertId = "", target, seen] = ticket.split(".");
  const former = newId("apr", Date.now() + 3_600_000).replace("apr", "alt");
  expect(homeOf(former)).toBe(0);
  await pool().query(
    `BEGIN; SET LOCAL session_replication_role = 'replica';
     UPDATE alert SET id = '${former}' WHERE id = '${alertId}';
     UPDATE alert_subject SET alert_id = '${former}' WHERE alert_id = '${alertId}';
     UPDATE alert_delivery SET alert_id = '${former}' WHERE alert_id = '${alertId}'; COMMIT`,
  );
  const about = [former, target, seen].join(".");
  expect(await answerFromAlert(`${about}.${sign("alert answer", about)}`, 0)).toMatchObject({
    title: "Answered · Tidy it",
  });
  expect(await decided(id)).toMatchObject({ optionId: "y" });
});

it("rejects forged, expired and revoked answer tickets", async () => {
  const { owner, id, ticket, otherTicket } = await asked();
  const [alert = "", place = "", seen = "", tag = ""] = ticket.split(".");
  const other = await asked();
  for (const forged of [
    "",
    "null",
    `${alert}.${place}.${seen}.`,
    `${alert}.${otherTicket.split(".")[1]}.${seen}.${tag}`,
    `${other.ticket.split(".")[0]}.${place}.${seen}.${tag}`,
    `${alert}.${place}.sha256:${"0".repeat(64)}.${tag}`,
  ])
    expect([forged, await answerFromAlert(forged, 0)]).toEqual([forged, undefined]);
  expect(await answerFromAlert(ticket, undefined)).toBeUndefined();
  await db.$executeRaw`UPDATE alert_delivery SET ended_at = ended_at - interval '61 minutes' WHERE target_id = ${place}`;
  expect(await answerFromAlert(ticket, 0)).toBeUndefined();
  for (const device of await listDevices(owner)) await removeDevice(owner, device.id);
  expect(await answerFromAlert(otherTicket, 0)).toBeUndefined();
  expect(await decided(id)).toBeNull();
});

const fields = { type: "object", properties: { note: { type: "string" } } };
it.each<[string, Partial<Settings>, object]>([
  ["unless the owner allows them", { answerFromAlerts: false }, {}],
  ["for a question without a risk", {}, { risk: undefined }],
  ["for a high-risk question", {}, { risk: "high" }],
  ["if only the owner may answer", {}, { ownerOnly: true }],
  ["for a question with fields", {}, { fields, options: lowRisk.options.map((it) => ({ ...it, fields: true })) }],
])("offers no answer buttons %s", async (_, settings, what) => {
  const { shown } = await asked(settings, what);
  expect(shown.data).toBeUndefined();
  expect(shown.actions.map(({ action }) => action)).toEqual(["snooze", "freeze"]);
});

it("offers no answer buttons in Safari", async () => {
  const { owner, app } = await anAppWith("approvals:write");
  await changeSettings(owner, { lockScreen: "full", answerFromAlerts: true });
  await addDevice({ ...owner, session: "ses_x" }, service.browser().subscription, chrome);
  await db.pushSubscription.updateMany({ data: { service: "web.push.apple.com" } });
  await submitApproval(app, lowRisk);
  await alertOwners();
  const [{ notification }] = service.pushed.map(({ message }) => message) as unknown as [ShowMessage];
  expect(notification.actions.map(({ action }) => action)).toEqual(["snooze", "freeze"]);
});
