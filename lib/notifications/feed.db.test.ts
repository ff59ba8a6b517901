import { expect, test } from "vitest";
import { db, pool } from "@/lib/database/db";
import { change } from "@/lib/events/change-transaction";
import { notifyOwner } from "@/lib/events/service-notification";
import { updateAppPreferences } from "@/lib/grants/app-preferences";
import { readLiveCounts } from "@/lib/live-counts/live-counts";
import { changeSettings } from "@/lib/owners/settings";
import { markExpiredDone } from "@/lib/testing/chores";
import { anApp, anAppWith, anOwner, aTokenFor } from "@/lib/testing/factories";
import { searchReach } from "@/lib/text/record-search";
import { readQuiet } from "./active-quiet-hours";
import { readFeed, readNotification } from "./feed";
import { countFeed } from "./feed-counts";
import { listNotifications, pushNotification } from "./notifications";
import { markSeen, triage } from "./triage";

const titles = async (...asked: Parameters<typeof readFeed>) =>
  (await readFeed(...asked)).notifications.map(({ title }) => title);
type Owner = Awaited<ReturnType<typeof anOwner>>;
const unseen = async (owner: Owner) => (await readLiveCounts({ ...owner, quiet: await readQuiet(owner) })).unseen;
const inbox = (extras: object) => ({ data: { inbox: extras } });
const soon = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

test("filters the feed by app, type, words and read state", async () => {
  const { owner, app, clientId } = await anAppWith("notifications:write");
  const other = await anApp(owner);
  const second = await aTokenFor(owner, other.clientId, ["notifications:write"]);
  const ids: string[] = [];
  for (let at = 0; at < 52; at++) ids.unshift((await pushNotification(app, { title: `Note ${at}` })).id);
  const theirs = (await pushNotification(second.app, { title: "Paid", body: "100 % of İt", type: "bank" })).id;
  const first = await readFeed(owner);
  expect(first.notifications.map(({ id }) => id)).toEqual([theirs, ...ids.slice(0, 49)]);
  const rest = await readFeed(owner, { before: first.next as string });
  expect(rest.notifications.map(({ id }) => id)).toEqual(ids.slice(49));
  await triage(owner, { act: "read", ids: [theirs] });
  expect((await readFeed(owner, { unread: true })).notifications[0]?.id).toBe(ids[0]);
  expect((await readFeed(owner, { appId: other.clientId })).notifications).toMatchObject([{ id: theirs, read: true }]);
  const narrow = { appId: clientId, unread: true, before: ids[49] as string };
  expect((await readFeed(owner, narrow)).notifications).toHaveLength(2);
  expect(await titles(owner, { type: "bank" })).toEqual(["Paid"]);
  expect(await titles(owner, { search: "paid" })).toEqual(["Paid"]);
  expect(await titles(owner, { search: "100 %" })).toEqual(["Paid"]);
  expect(await titles(owner, { search: "note 51" })).toEqual(["Note 51"]);
  expect(await titles(owner, { search: "_" })).toEqual([]);
  expect(await countFeed(owner)).toMatchObject({ unread: 52, types: ["bank", "general"] });
});

test("searches notifications regardless of case and resumes at the scan limit", async () => {
  const { owner, app, clientId } = await anAppWith("notifications:write");
  const { id } = await pushNotification(app, { title: "Überweisung", body: "an ÇELİK" });
  expect(await titles(owner, { search: "über çel" })).toEqual(["Überweisung"]);
  await db.$executeRaw`UPDATE notification SET surfaced_at = surfaced_at - interval '1 hour' WHERE id = ${id}`;
  await db.$executeRaw`INSERT INTO notification (id, owner_id, app_id, title)
    SELECT 'ntf_' || lpad(n::text, 32, '0'), ${owner.ownerId}, ${clientId}, 'Hay' FROM generate_series(1, ${searchReach + 3}::int) AS n`;
  const first = await readFeed(owner, { search: "über" });
  expect(first).toEqual({ notifications: [], next: expect.any(String), reached: expect.any(Number) });
  expect(await readFeed(owner, { search: "über", before: first.next })).toMatchObject({ notifications: [{ id }] });
  const hay = await readFeed(owner, { search: "hay" });
  expect(hay.notifications).toHaveLength(50);
  expect(hay).toMatchObject({ next: hay.notifications.at(-1)?.id });
});

test("returns a notification only to the owner who received it", async () => {
  const { owner, app } = await anAppWith("notifications:write");
  const { id } = await pushNotification(app, {
    title: "One",
    ...inbox({ url: "https://ci.example/418", priority: "high" }),
  });
  expect(await readNotification(owner, id)).toMatchObject({
    title: "One",
    place: "inbox",
    read: false,
    priority: "high",
    earlier: 0,
    link: { url: "https://ci.example/418", host: "ci.example" },
    app: { ours: false },
  });
  for (const [who, which] of [
    [await anOwner(), id],
    [owner, "ntf_"],
    [owner, "' OR true"],
  ] as const)
    await expect(readNotification(who, which)).rejects.toMatchObject({ status: 404 });
});

test("counts notifications as new until the owner views the list", async () => {
  const { owner, app } = await anAppWith("notifications:write");
  await pushNotification(app, { title: "One" });
  const { id } = await pushNotification(app, { title: "Two" });
  expect(await unseen(owner)).toBe(2);
  await markSeen(await anOwner(), id);
  expect(await unseen(owner)).toBe(2);
  await soon(2);
  await pushNotification(app, { title: "Three" });
  await markSeen(owner, id);
  expect(await unseen(owner)).toBe(1);
  expect((await countFeed(owner)).unread).toBe(3);
});

test("replaces an older notification that has the same key", async () => {
  const { owner, app } = await anAppWith("notifications:write", "notifications:read");
  const second = await aTokenFor(owner, (await anApp(owner)).clientId, ["notifications:write"]);
  const build = inbox({ dedupeKey: "build" });
  const first = await pushNotification(app, { title: "10 %", ...build });
  await pushNotification(second.app, { title: "Another's", ...build });
  await pushNotification(app, { title: "Something else" });
  await triage(owner, { act: "done", ids: [first.id] });
  await pushNotification(app, { title: "50 %", ...build });
  const last = await pushNotification(app, { title: "90 %", ...build });
  const { notifications } = await readFeed(owner);
  expect(notifications.map(({ title, earlier }) => [title, earlier])).toEqual([
    ...[
      ["90 %", 2],
      ["Something else", 0],
      ["Another's", 0],
    ],
  ]);
  expect(new Set(notifications.map(({ slot }) => slot)).size).toBe(3);
  expect(await unseen(owner)).toBe(3);
  expect(await titles(owner, { place: "done" })).toEqual([]);
  expect(await readNotification(owner, first.id)).toMatchObject({ title: "10 %", replacedBy: last.id });
  const { data } = JSON.parse((await listNotifications({ ...app, needs: "notifications:read" }, {})).text);
  expect(data.map(({ title }: { title: string }) => title)).toEqual(["90 %", "50 %", "Something else", "10 %"]);
  expect(data[0].data).toEqual(build.data);
});

test("shows only one of twenty concurrent notifications with the same key", async () => {
  const { owner, app } = await anAppWith("notifications:write");
  const at = (title: number) => pushNotification(app, { title: `${title}`, ...inbox({ dedupeKey: "k" }) });
  await Promise.all(Array.from({ length: 20 }, (_, title) => at(title)));
  expect((await readFeed(owner)).notifications).toMatchObject([{ earlier: 19 }]);
  expect(await unseen(owner)).toBe(1);
  expect((await countFeed(owner)).unread).toBe(1);
});

test("moves expired notifications to Done", async () => {
  const { owner, app } = await anAppWith("notifications:write");
  const expiresAt = Date.now() + 400;
  const { id } = await pushNotification(app, { title: "Soon over", ...inbox({ expiresAt }) });
  await pushNotification(app, { title: "Over", ...inbox({ expiresAt: Date.UTC(2020, 0) }) });
  expect(await titles(owner)).toEqual(["Soon over"]);
  expect((await countFeed(owner)).changesAt).toBe(expiresAt);
  await soon(500);
  expect(await titles(owner)).toEqual([]);
  expect(await unseen(owner)).toBe(0);
  expect(await titles(owner, { place: "done" })).toEqual(["Soon over", "Over"]);
  expect(await readNotification(owner, id)).toMatchObject({ place: "done", doneAt: expiresAt, expiresAt });
  await triage(owner, { act: "back", ids: [id] });
  expect(await titles(owner)).toEqual(["Soon over"]);
});

test("records the expiry time as the time when an expired notification was done", async () => {
  const { owner, app } = await anAppWith("notifications:write");
  await pushNotification(app, { title: "Over", ...inbox({ expiresAt: Date.UTC(2020, 0) }) });
  await Promise.all([markExpiredDone(), markExpiredDone()]);
  const filed = await db.notification.findFirst({ where: { ownerId: owner.ownerId } });
  expect(filed?.doneAt?.getTime()).toBe(Date.UTC(2020, 0));
});

test.each([["ads"], ['Größe & "x", {y} \\ z'], [""]])(
  "lists notifications of a muted app or the muted type %j separately",
  async (type) => {
    const { owner, app, clientId } = await anAppWith("notifications:write");
    const loud = await pushNotification(app, { title: "Loud", type });
    await pushNotification(app, { title: "Fine" });
    const muted = await triage(owner, { act: "mute-type", ids: [loud.id] });
    await pushNotification(app, { title: "Loud again", type });
    expect(await titles(owner)).toEqual(["Fine"]);
    expect(await unseen(owner)).toBe(1);
    expect(await countFeed(owner)).toMatchObject({ unread: 1, muted: 2 });
    expect((await readFeed(owner, { muted: true })).notifications).toMatchObject([
      { muted: "type" },
      { muted: "type" },
    ]);
    expect(muted.undo).toBeDefined();
    await triage(owner, muted.undo as NonNullable<typeof muted.undo>);
    expect(await titles(owner)).toEqual(["Loud again", "Fine", "Loud"]);
    expect((await countFeed(owner)).types.toSorted()).toEqual(["general", type].sort());
    if (type) expect((await readFeed(owner, { type })).notifications.map((told) => told.type)).toEqual([type, type]);
    await triage(owner, { act: "mute-app", ids: [loud.id] });
    expect(await unseen(owner)).toBe(0);
    expect(await countFeed(owner)).toMatchObject({ unread: 0, muted: 3 });
    expect(await readNotification(owner, loud.id)).toMatchObject({ muted: "app", place: "inbox" });
    await updateAppPreferences(owner, clientId, { notificationsMuted: false });
    expect(await unseen(owner)).toBe(3);
  },
);

test("rejects an attempt to mute the service's own notifications", async () => {
  const { owner, app } = await anAppWith("notifications:write");
  const { ownerId } = owner;
  const id = await change(owner, (tx) => notifyOwner(tx, { ownerId, title: "Careful", body: "", type: "security" }));
  const inAnothersName = pool().query(
    "INSERT INTO own_notification (id, owner_id, app_id, title) VALUES ('ntf_x', $1, 'app_x', 'It is me')",
    [ownerId],
  );
  await expect(inAnothersName).rejects.toThrow(/check option/);
  await pushNotification(app, { title: "Careful", type: "security" });
  const { notifications } = await readFeed(owner);
  expect(notifications.map((told) => told.app.ours)).toEqual([false, true]);
  await expect(triage(owner, { act: "mute-app", ids: [id] })).rejects.toMatchObject({ status: 400 });
  await expect(triage(owner, { act: "mute-type", ids: [id] })).rejects.toMatchObject({ status: 400 });
});

test("holds all but urgent notifications during quiet hours", async () => {
  const { owner, app } = await anAppWith("notifications:write");
  await pushNotification(app, { title: "Before" });
  await soon(5);
  // Quiet hours are in whole minutes, so the first notification must be moved to a time before they
  // began.
  const now = new Date();
  const minute = now.getUTCHours() * 60 + now.getUTCMinutes();
  await db.notification.updateMany({
    where: { ownerId: owner.ownerId },
    data: { surfacedAt: new Date(now.getTime() - 3_600_000) },
  });
  await changeSettings(owner, { quiet: { from: minute, until: (minute + 120) % 1440 }, timeZone: "UTC" });
  await pushNotification(app, { title: "Held" });
  await pushNotification(app, { title: "Fire", ...inbox({ priority: "urgent" }) });
  const quiet = await readQuiet(owner);
  expect(quiet?.until).toBeGreaterThan(now.getTime());
  expect(await unseen(owner)).toBe(2);
  expect(await countFeed(owner, quiet)).toMatchObject({ unread: 3, held: 1 });
  expect(await titles(owner)).toEqual(["Fire", "Held", "Before"]);
  await changeSettings(owner, { quietBreakthrough: false });
  expect(await unseen(owner)).toBe(1);
  expect(await countFeed(owner, await readQuiet(owner))).toMatchObject({ held: 2 });
  await changeSettings(owner, { quiet: null });
  expect(await unseen(owner)).toBe(3);
});
