import { expect, test } from "vitest";
import { db } from "@/lib/database/db";
import { subscribe } from "@/lib/events/pubsub";
import { readLiveCounts } from "@/lib/live-counts/live-counts";
import { anAppWith, anOwner } from "@/lib/testing/factories";
import { readFeed } from "./feed";
import { countFeed } from "./feed-counts";
import { getNotification, listNotifications, pushNotification } from "./notifications";
import type { Triaged } from "./schema";
import { markSeen, triage } from "./triage";

type Way = NonNullable<Triaged["undo"]>;
const titles = async (...asked: Parameters<typeof readFeed>) =>
  (await readFeed(...asked)).notifications.map(({ title }) => title);

async function three() {
  const { owner, app } = await anAppWith("notifications:write", "notifications:read");
  const ids: string[] = [];
  for (const title of ["One", "Two", "Three"]) {
    ids.push((await pushNotification(app, { title })).id);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  return { owner, app, ids: ids as [string, string, string] };
}

test("restores notifications when the owner undoes Done", async () => {
  const { owner, ids } = await three();
  const { count, undo } = await triage(owner, { act: "done", ids: ids.slice(0, 2) });
  expect(count).toBe(2);
  expect(await titles(owner)).toEqual(["Three"]);
  expect((await titles(owner, { place: "done" })).sort()).toEqual(["One", "Two"]);
  expect(await triage(owner, { act: "done", ids })).toMatchObject({ count: 1, undo: { ids: [ids[2]] } });
  expect(await triage(owner, { act: "done", ids })).toEqual({ count: 0 });
  await triage(owner, undo as Way);
  expect(await titles(owner)).toEqual(["Two", "One"]);
});

test("returns a snoozed notification to the top as new", async () => {
  const { owner, ids } = await three();
  await markSeen(owner, ids[2]);
  const { undo } = await triage(owner, { act: "snooze-60", ids: [ids[0]] });
  expect(await titles(owner)).toEqual(["Three", "Two"]);
  expect((await readFeed(owner, { place: "snoozed" })).notifications).toMatchObject([
    { title: "One", place: "snoozed" },
  ]);
  expect(await countFeed(owner)).toMatchObject({ snoozed: 1, unread: 2 });
  await triage(owner, undo as Way);
  expect(await titles(owner)).toEqual(["Three", "Two", "One"]);
  expect((await readLiveCounts(owner)).unseen).toBe(0);
  await triage(owner, { act: "snooze-1440", ids: [ids[0]] });
  const back = await triage(owner, { act: "wake", ids: [ids[0]] });
  expect(await titles(owner)).toEqual(["One", "Three", "Two"]);
  expect((await readLiveCounts(owner)).unseen).toBe(1);
  await triage(owner, back.undo as Way);
  const [{ surfacedAt } = { surfacedAt: 0 }] = (await readFeed(owner, { place: "snoozed" })).notifications;
  expect(surfacedAt - Date.now()).toBeGreaterThan(23 * 3_600_000);
});

test("returns a snoozed notification to Snoozed when the owner undoes Done", async () => {
  const { owner, ids } = await three();
  await triage(owner, { act: "snooze-60", ids: [ids[1]] });
  const { undo } = await triage(owner, { act: "done", ids: [ids[1]] });
  expect(await titles(owner, { place: "done" })).toEqual(["Two"]);
  await triage(owner, undo as Way);
  expect(await titles(owner, { place: "snoozed" })).toEqual(["Two"]);
});

test("marks the displayed notifications and all older notifications as read", async () => {
  const { owner, app, ids } = await three();
  await triage(owner, { act: "read", ids: [ids[0]] });
  await pushNotification(app, { title: "Other", type: "other" });
  const stranger = await anOwner();
  expect(await triage(stranger, { act: "read-all", ids: [ids[1]] })).toEqual({ count: 0 });
  expect(await triage(owner, { act: "read-all", ids: [ids[2]], type: "other" })).toEqual({ count: 0 });
  expect(await triage(owner, { act: "read-all", ids: [ids[2]], search: "other" })).toEqual({ count: 0 });
  const found = await triage(owner, { act: "read-all", ids: [ids[2]], search: "TWO" });
  expect(found.count).toBe(1);
  expect(await titles(owner, { unread: true })).toEqual(["Other", "Three"]);
  await triage(owner, found.undo as Way);
  const { count, undo } = await triage(owner, { act: "read-all", ids: [ids[2]] });
  expect(count).toBe(2);
  expect(await titles(owner, { unread: true })).toEqual(["Other"]);
  await triage(stranger, undo as Way);
  expect((await countFeed(owner)).unread).toBe(1);
  await triage(owner, undo as Way);
  expect(await titles(owner, { unread: true })).toEqual(["Other", "Three", "Two"]);
});

test("marks notifications with equal times as read in list order", async () => {
  const { owner, ids } = await three();
  await db.$executeRaw`UPDATE notification SET surfaced_at = now() WHERE owner_id = ${owner.ownerId}`;
  expect((await triage(owner, { act: "read-all", ids: [ids[1]], search: "t" })).count).toBe(1);
  expect((await triage(owner, { act: "read-all", ids: [ids[1]] })).count).toBe(1);
  expect(await titles(owner, { unread: true })).toEqual(["Three"]);
});

test("does not change another owner's notifications", async () => {
  const { owner, ids } = await three();
  const stranger = await anOwner();
  const before = await db.notification.findMany({ where: { ownerId: owner.ownerId }, orderBy: { id: "asc" } });
  const actions = [
    "done",
    "back",
    "read",
    "unread",
    "wake",
    "snooze-60",
    "mute-app",
    "mute-type",
    "unmute-app",
  ] as const;
  for (const act of actions) expect(await triage(stranger, { act, ids }), act).toEqual({ count: 0 });
  expect(await triage(stranger, { act: "surface", ids, at: [0, 0, 0] })).toEqual({ count: 0 });
  const after = await db.notification.findMany({ where: { ownerId: owner.ownerId }, orderBy: { id: "asc" } });
  expect(after).toEqual(before);
  expect(await db.appPreferences.count({ where: { ownerId: stranger.ownerId } })).toBe(0);
});

test("publishes triage actions to open pages but never to apps", async () => {
  const { owner, app, ids } = await three();
  const reader = { ...app, needs: "notifications:read" } as const;
  const told = async () => [(await listNotifications(reader, {})).text, (await getNotification(reader, ids[0])).text];
  const before = await told();
  let heard = 0;
  const stop = subscribe(owner.ownerId, () => heard++);
  for (const act of ["read", "unread", "snooze-60", "wake", "done", "back", "mute-type"] as const) {
    heard = 0;
    expect((await triage(owner, { act, ids: [ids[0]] })).count, act).toBe(1);
    expect(heard, act).toBeGreaterThan(0);
  }
  stop();
  expect(await told()).toEqual(before);
  const events = await db.event.findMany({ where: { ownerId: owner.ownerId, appId: null }, orderBy: { id: "asc" } });
  expect(events.map(({ type }) => type).filter((type) => type.startsWith("notification"))).toEqual([
    ...["notification.read", "notification.unread", "notification.snoozed", "notification.returned"],
    ...["notification.done", "notification.returned"],
  ]);
});
