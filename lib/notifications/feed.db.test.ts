import { expect, test } from "vitest";
import { db } from "@/lib/db";
import { subscribe } from "@/lib/events/hub";
import { anApp, anAppWith, anOwner, aTokenFor } from "@/lib/testing/factories";
import { countUnread, markAllRead, markRead, readFeed } from "./feed";
import { listNotifications, pushNotification } from "./notifications";

test("newest first, fifty a page, by app and by unread", async () => {
  const { owner, app, clientId } = await anAppWith("notifications:write");
  const other = await anApp(owner);
  const second = await aTokenFor(owner, other.clientId, ["notifications:write"]);
  const ids: string[] = [];
  for (let at = 0; at < 52; at++) ids.unshift((await pushNotification(app, { title: `Note ${at}` })).id);
  const theirs = (await pushNotification(second.app, { title: "Paid" })).id;
  const first = await readFeed(owner);
  expect(first.notifications.map(({ id }) => id)).toEqual([theirs, ...ids.slice(0, 49)]);
  const rest = await readFeed(owner, { before: first.next as string });
  expect(rest.notifications.map(({ id }) => id)).toEqual(ids.slice(49));
  await markRead(owner, theirs);
  expect((await readFeed(owner, { unread: true })).notifications[0]?.id).toBe(ids[0]);
  expect((await readFeed(owner, { appId: other.clientId })).notifications).toMatchObject([{ id: theirs, read: true }]);
  expect(
    (await readFeed(owner, { appId: clientId, unread: true, before: ids[49] as string })).notifications,
  ).toHaveLength(2);
  expect(await countUnread(owner)).toBe(52);
});

test("reading is the owner's business: counted, heard on open pages, never told to the app", async () => {
  const { owner, app } = await anAppWith("notifications:write", "notifications:read");
  const { id } = await pushNotification(app, { title: "Backup finished" });
  const before = (await listNotifications({ ...app, needs: "notifications:read" }, {})).text;
  let heard = 0;
  const stop = subscribe(owner.ownerId, () => heard++);
  await markRead(owner, id);
  // Whoever begins to listen may be told once more, in case something came before.
  expect(heard).toBeGreaterThan(0);
  await markRead(owner, id);
  stop();
  expect((await listNotifications({ ...app, needs: "notifications:read" }, {})).text).toBe(before);
  const events = await db.event.findMany({ where: { ownerId: owner.ownerId, type: "notification.read" } });
  expect(events).toMatchObject([{ appId: null, subject: id }]);
});

test("nobody marks another owner's, and what came after the view stays unread", async () => {
  const { owner, app } = await anAppWith("notifications:write");
  const first = (await pushNotification(app, { title: "One" })).id;
  await new Promise((resolve) => setTimeout(resolve, 5));
  await pushNotification(app, { title: "Two" });
  const stranger = await anOwner();
  await markRead(stranger, first);
  await markAllRead(stranger, { upTo: first });
  expect(await countUnread(owner)).toBe(2);
  await markAllRead(owner, { upTo: first });
  expect((await readFeed(owner)).notifications.map(({ read }) => read)).toEqual([false, true]);
});
