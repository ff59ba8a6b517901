import { randomBytes } from "node:crypto";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { submitApproval } from "@/lib/approvals/approvals";
import { addToApproval } from "@/lib/approvals/thread/additions";
import { askClarification } from "@/lib/approvals/thread/clarifications";
import { returnDueSnoozed } from "@/lib/approvals/triage";
import { sweep } from "@/lib/cli/sweep";
import { db, pool } from "@/lib/database/db";
import { updateAppPreferences } from "@/lib/grants/app-preferences";
import { revokeGrant } from "@/lib/grants/grants";
import { pushNotification } from "@/lib/notifications/notifications";
import { triage } from "@/lib/notifications/triage";
import { changePassword, signOutEverywhere } from "@/lib/owners/owners";
import { createSession, endSession, listSessions } from "@/lib/owners/sessions";
import { changeSettings } from "@/lib/owners/settings";
import { answerApproval } from "@/lib/testing/answers";
import { anApp, anAppWith, aTokenFor } from "@/lib/testing/factories";
import { aPushService } from "@/lib/testing/push-service";
import { aQuestion } from "@/lib/testing/questions";
import { configure } from "@/lib/testing/settings";
import { deliverAlerts } from "./deliver";
import { addDevice, listDevices, removeDevice, renewDevice, testDevice } from "./devices";
import { alertOwners, startAlerts } from "./dispatcher";
import { scheduleAlerts } from "./scheduler";
import type { ShowMessage } from "./schema";

const service = await aPushService();
configure({ ALLOW_PRIVATE_FETCH: service.origin });
afterAll(() => service.close());
beforeEach(async () => {
  // Each test has its own owner, and sees what its own were sent.
  await db.pushSubscription.deleteMany();
  service.pushed.length = 0;
  service.problems.length = 0;
});

const chrome = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/149.0 Safari/537.36";

/** An owner with an app that may ask and notify, and so many browsers that show alerts. */
async function told(browsers = 1) {
  const { owner, app, clientId, name } = await anAppWith("approvals:write", "notifications:write");
  const shows = Array.from({ length: browsers }, () => service.browser());
  for (const { subscription } of shows) {
    const { id: session } = await createSession(
      { ownerId: owner.ownerId, sessionVersion: 1 },
      { method: "password", userAgent: chrome, address: "127.0.0.1" },
    );
    await addDevice({ ...owner, session }, subscription, chrome);
    owner.session = session;
  }
  const ask = async (question = "Ship it?") => (await submitApproval(app, { ...aQuestion, question })).id;
  const answer = (id: string) => answerApproval(owner, id, { kind: "option", optionId: "ship" });
  return { owner, app, clientId, name, shows, ask, answer, browser: shows[0]! };
}

/** As if so much time had gone by since everything so far. */
const pass = (minutes: number) =>
  pool().query(
    `WITH a AS (UPDATE alert SET created_at = created_at - make_interval(mins => $1)),
      d AS (UPDATE alert_delivery SET due_at = due_at - make_interval(mins => $1) WHERE ended_at IS NULL)
      UPDATE alert_watch SET look_again_at = look_again_at - make_interval(mins => $1), since = since - make_interval(mins => $1)`,
    [minutes],
  );
const messages = () => service.pushed.map(({ message }) => message);
const titles = () =>
  (messages() as unknown as ShowMessage[]).map(({ notification }) => notification?.title ?? "(close)");

describe("a question", () => {
  it("is shown by every browser, once, encrypted for it, and says who asks and no more", async () => {
    const { ask, name } = await told(3);
    const id = await ask("Launch the missiles?");
    await alertOwners();
    await alertOwners();
    expect(service.problems).toEqual([]);
    expect(service.pushed.map(({ to }) => to).sort()).toHaveLength(3);
    expect(new Set(service.pushed.map(({ to }) => to)).size).toBe(3);
    for (const { message, headers, bytes } of service.pushed) {
      expect(message).toEqual({
        web_push: 8030,
        notification: {
          title: `New question from ${name}`,
          body: "Open Countersign to see it.",
          lang: "en",
          dir: "auto",
          tag: id,
          requireInteraction: true,
          navigate: `http://localhost:3000/approvals/${id}`,
          actions: [
            { action: "open", title: "Open", navigate: `http://localhost:3000/approvals/${id}` },
            { action: "snooze", title: "Snooze 1 h", navigate: `http://localhost:3000/approvals/${id}` },
          ],
        },
        app_badge: 1,
      });
      expect(headers.urgency).toBe("high");
      expect(bytes).toBeLessThan(4096);
    }
    expect(JSON.stringify(messages())).not.toContain("missiles");
  });

  it("is shown in full where the owner chose so, for all or for one app, and fits whatever it is", async () => {
    const { owner, ask, name, clientId } = await told();
    await changeSettings(owner, { lockScreen: "full" });
    await ask(`Ship\nbuild ${"𝕏é".repeat(2000)}?`);
    await alertOwners();
    const [first] = messages() as unknown as [ShowMessage];
    expect(first.notification.title).toBe(`${name} asks`);
    expect(first.notification.body).toMatch(/^Ship build 𝕏é.*…$/u);
    expect(service.pushed[0]?.bytes).toBeLessThan(4096);
    await updateAppPreferences(owner, clientId, { lockScreen: "private" });
    await pass(10);
    await ask("Secret?");
    await alertOwners();
    expect(titles()[1]).toBe(`New question from ${name}`);
  });

  it("is shown as soon as it is asked, woken by the news", async () => {
    const { ask } = await told();
    const stop = startAlerts();
    await ask();
    await expect.poll(() => service.pushed.length).toBe(1);
    await stop();
  });

  it("that waited before there was a browser, or came while there was none, is old news", async () => {
    const { owner, app, ask } = await told();
    await removeDevice(owner, (await listDevices(owner))[0]!.id);
    await ask("While nobody listened?");
    await alertOwners();
    await new Promise((resolve) => setTimeout(resolve, 5));
    await addDevice(owner, service.browser().subscription, chrome);
    await alertOwners();
    expect(titles()).toEqual([]);
    await submitApproval(app, aQuestion);
    await alertOwners();
    expect(titles()).toHaveLength(1);
  });

  it("is taken away when the owner asks back, and shown anew when the app has added to it", async () => {
    const { owner, app, ask } = await told();
    const id = await ask();
    await alertOwners();
    await askClarification(owner, id, "Why now?");
    await alertOwners();
    expect(titles().at(-1)).toBe("(close)");
    await pass(10);
    await alertOwners();
    expect(messages()).toHaveLength(2);
    await addToApproval({ ...app, needs: "approvals:write" }, id, { text: "Because" });
    await alertOwners();
    expect(messages().slice(2)).toMatchObject([{ notification: { tag: id }, app_badge: 1 }]);
    // What is added to one that waits for the owner alerts nobody again.
    await pass(10);
    await addToApproval({ ...app, needs: "approvals:write" }, id, { text: "And more" });
    await alertOwners();
    expect(messages()).toHaveLength(3);
  });

  it("is taken away everywhere when it is answered, and not shown at all when that came first", async () => {
    const { ask, answer } = await told(2);
    const id = await ask();
    await alertOwners();
    await answer(id);
    await alertOwners();
    await alertOwners();
    expect(messages().slice(2)).toEqual([
      { close: id, app_badge: 0 },
      { close: id, app_badge: 0 },
    ]);
    await pass(10);
    const quick = await ask();
    await answer(quick);
    await alertOwners();
    expect(messages()).toHaveLength(4);
  });

  it("is taken away also when it was answered after days", async () => {
    const { ask, answer } = await told();
    const id = await ask();
    await alertOwners();
    await pass(3 * 24 * 60);
    await answer(id);
    await alertOwners();
    expect(messages().slice(1)).toEqual([{ close: id, app_badge: 0 }]);
  });

  it("that was planned and answered before it was sent is not sent", async () => {
    const { owner, ask, answer } = await told();
    const id = await ask();
    await scheduleAlerts(owner.ownerId);
    await answer(id);
    await alertOwners();
    expect(messages()).toEqual([]);
  });

  it("that is put off is taken away, and told again when it comes back", async () => {
    const { owner, ask } = await told();
    const id = await ask();
    await alertOwners();
    await db.$executeRaw`
      INSERT INTO approval_desk (approval_id, owner_id, snoozed_until) VALUES (${id}, ${owner.ownerId}, now() + interval '1 hour')`;
    await scheduleAlerts(owner.ownerId);
    await deliverAlerts();
    expect(messages()[1]).toEqual({ close: id, app_badge: 0 });
    await pass(61);
    // What was asked before there was a browser is told too when it comes back.
    await db.$executeRaw`UPDATE alert_watch SET since = clock_timestamp()`;
    await db.$executeRaw`UPDATE approval_desk SET snoozed_until = now() + interval '1 millisecond' WHERE approval_id = ${id}`;
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(await returnDueSnoozed()).toBe(1);
    await alertOwners();
    expect(titles()).toHaveLength(3);
    expect(titles()[2]).toMatch(/^New question/);
  });

  it("of a muted or revoked app alerts nobody; another app's does", async () => {
    const { owner, ask, clientId } = await told();
    await updateAppPreferences(owner, clientId, { questionsMuted: true });
    await ask();
    await alertOwners();
    expect(titles()).toEqual([]);
    const other = await anApp(owner);
    const { app } = await aTokenFor(owner, other.clientId, ["approvals:write"]);
    await submitApproval(app, aQuestion);
    await alertOwners();
    expect(titles()).toEqual([`New question from ${other.name}`]);
    await revokeGrant(owner, other.clientId);
    await alertOwners();
    expect(titles()).toHaveLength(2);
    expect(titles()[1]).toBe("(close)");
  });
});

// T2
describe("two hundred questions", () => {
  it("are one alert, and one digest when ten minutes are over", async () => {
    const { ask, name } = await told();
    for (let n = 0; n < 10; n++) {
      await Promise.all(Array.from({ length: 20 }, () => ask()));
      await alertOwners();
    }
    await pass(9);
    await alertOwners();
    const [first] = titles();
    // The first turn may have seen all of its twenty.
    expect(titles()).toHaveLength(1);
    const inFirst = Number(/: (\d+) new/.exec(first ?? "")?.[1] ?? 1);
    await pass(1);
    await alertOwners();
    expect(titles().slice(1)).toEqual([expect.stringMatching(`^${name}: 99\\+ (more|new) questions$`)]);
    expect(await db.alertSubject.count()).toBeGreaterThanOrEqual(200);
    expect(inFirst).toBeLessThanOrEqual(20);
  });

  it("that come one after the other are one alert for the first, and the rest in a digest that takes its own place", async () => {
    const { ask, name, answer } = await told();
    const ids = [await ask()];
    await alertOwners();
    for (let n = 0; n < 12; n++) ids.push(await ask());
    await alertOwners();
    expect(titles()).toEqual([`New question from ${name}`]);
    await pass(10);
    await alertOwners();
    for (let n = 0; n < 3; n++) ids.push(await ask());
    await pass(10);
    await alertOwners();
    expect(titles().slice(1)).toEqual([`${name}: 12 more questions`, `${name}: 15 more questions`]);
    const [, one, other] = messages() as unknown as ShowMessage[];
    expect(other?.notification.tag).toBe(one?.notification.tag);
    for (const id of ids.slice(1)) await answer(id);
    await alertOwners();
    expect(messages().slice(3)).toEqual([{ close: one?.notification.tag, app_badge: 1 }]);
  });
});

it("a digest counts no more what was answered or read since the one before", async () => {
  const { ask, app, answer, name, owner } = await told();
  const push = () => pushNotification(app, { title: "!", data: { inbox: { priority: "high" } } });
  const asked = [await ask(), await ask(), await ask()];
  const pushed = [await push(), await push(), await push()];
  await alertOwners();
  await pass(11);
  await alertOwners();
  expect(titles()).toEqual([`${name}: 3 new questions`, `${name}: 3 new notifications`]);
  await answer(asked[0]!);
  await db.notification.updateMany({ where: { id: pushed[0]!.id }, data: { readAt: new Date() } });
  await Promise.all([ask(), ask(), push(), push()]);
  await pass(11);
  await alertOwners([owner.ownerId]);
  await pass(11);
  await alertOwners([owner.ownerId]);
  expect(titles().slice(2)).toEqual([`${name}: 4 new questions`, `${name}: 4 new notifications`]);
});

// T8
describe("a notification", () => {
  it("interrupts only when it is high or urgent, a thousand at most once", async () => {
    const { app, name, owner } = await told();
    await pushNotification(app, { title: "Nothing much", data: { inbox: { priority: "normal" } } });
    await pushNotification(app, { title: "Nothing at all" });
    await alertOwners();
    expect(titles()).toEqual([]);
    const made = [];
    for (let n = 0; n < 100; n++) {
      made.push(
        ...(await Promise.all(
          Array.from({ length: 10 }, () =>
            pushNotification(app, { title: "!", data: { inbox: { priority: "high" } } }),
          ),
        )),
      );
      if (n === 0) await alertOwners();
    }
    await alertOwners();
    expect(titles()).toEqual([`${name}: 10 new notifications`]);
    const ids = made.slice(0, 10).map(({ id }) => id);
    await db.notification.updateMany({
      where: { ownerId: owner.ownerId, id: { in: ids } },
      data: { readAt: new Date() },
    });
    await alertOwners([owner.ownerId]);
    expect(titles().slice(1)).toEqual(["(close)"]);
  });

  it("of a muted app or type, or one that has expired, interrupts nobody", async () => {
    const { app, owner, clientId } = await told();
    await updateAppPreferences(owner, clientId, { mutedTypes: ["ads"] });
    const inbox = { priority: "urgent" };
    await pushNotification(app, { title: "Buy", type: "ads", data: { inbox } });
    await pushNotification(app, { title: "Late", data: { inbox: { ...inbox, expiresAt: Date.now() - 1000 } } });
    await alertOwners();
    expect(titles()).toEqual([]);
    await updateAppPreferences(owner, clientId, { notificationsMuted: true });
    await pushNotification(app, { title: "Fire", data: { inbox } });
    await alertOwners();
    expect(titles()).toEqual([]);
  });

  it("that is snoozed is taken away, and told again when it comes back", async () => {
    const { app, owner, name } = await told();
    const { id } = await pushNotification(app, { title: "Fire", data: { inbox: { priority: "urgent" } } });
    await alertOwners();
    await triage(owner, { act: "snooze-60", ids: [id] });
    await alertOwners([owner.ownerId]);
    expect(messages()[1]).toEqual({ close: id, app_badge: 0 });
    const watch = await db.alertWatch.findUniqueOrThrow({ where: { ownerId: owner.ownerId } });
    expect(watch.lookAgainAt).toEqual((await db.notification.findUniqueOrThrow({ where: { id } })).surfacedAt);
    await db.$executeRaw`UPDATE notification SET surfaced_at = now() WHERE id = ${id}`;
    await pass(61);
    await alertOwners();
    expect(titles()[2]).toBe(`New notification from ${name}`);
  });

  it("does not keep a question waiting", async () => {
    const { app, ask, name } = await told();
    await pushNotification(app, { title: "Deploy failed", data: { inbox: { priority: "urgent" } } });
    await alertOwners();
    await ask();
    await alertOwners();
    expect(titles()).toEqual([`New notification from ${name}`, `New question from ${name}`]);
    await pushNotification(app, { title: "Again", data: { inbox: { priority: "urgent" } } });
    await alertOwners();
    expect(titles()).toHaveLength(2);
  });
});

it("quiet hours hold alerts until they end; what is urgent breaks through where the owner lets it", async () => {
  const { owner, app, ask, name } = await told();
  const minutes = Math.floor((Date.now() % 86_400_000) / 60_000);
  const from = (minutes + 1380) % 1440;
  const until = (minutes + 60) % 1440;
  await changeSettings(owner, { quiet: { from, until }, timeZone: "UTC" });
  await ask();
  await ask();
  await pushNotification(app, { title: "Soon", data: { inbox: { priority: "high" } } });
  await alertOwners();
  expect(titles()).toEqual([]);
  const watch = await db.alertWatch.findUniqueOrThrow({ where: { ownerId: owner.ownerId } });
  expect(watch.lookAgainAt?.getTime()).toBeGreaterThan(Date.now() + 55 * 60_000);
  await pushNotification(app, { title: "Fire", data: { inbox: { priority: "urgent" } } });
  await alertOwners();
  expect(titles()).toEqual([`New notification from ${name}`]);
  // They end.
  await changeSettings(owner, { quiet: { from, until: minutes === 0 ? 1439 : minutes - 1 } });
  await pass(61);
  await alertOwners();
  expect(titles().slice(1)).toEqual([`${name}: 2 new questions`]);
  await pass(10);
  await alertOwners();
  expect(titles()[2]).toBe(`New notification from ${name}`);
});

describe("sending", () => {
  it("is for owners with news since the one before, and once more for those with whom it failed", async () => {
    const [{ ask, owner, name }, other] = [await told(), await told()];
    const { horizon } = await alertOwners();
    await ask();
    await other.ask();
    await alertOwners([other.owner.ownerId], { everyone: false });
    expect(titles()).toEqual([`New question from ${other.name}`]);
    await pool().query(`CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE ''away''; END';
      CREATE TRIGGER fails BEFORE UPDATE ON alert_watch FOR EACH ROW EXECUTE FUNCTION fail()`);
    expect((await alertOwners([], { since: horizon })).failed).toEqual([owner.ownerId]);
    await pool().query("DROP FUNCTION fail CASCADE");
    // Whoever wrote nothing since is not looked for, however far behind: nobody wrote anything in a transaction that is yet to come.
    await alertOwners([], { since: String(BigInt(horizon) + 1_000_000n) });
    expect(titles()).toHaveLength(1);
    await alertOwners([], { since: horizon });
    expect(titles().slice(1)).toEqual([`New question from ${name}`]);
  });

  it("is done once, however many copies look and send at the same time", async () => {
    const { owner, ask } = await told(5);
    await ask();
    await Promise.all(Array.from({ length: 8 }, () => scheduleAlerts(owner.ownerId)));
    await Promise.all(Array.from({ length: 8 }, () => deliverAlerts()));
    await Promise.all(Array.from({ length: 4 }, () => alertOwners()));
    expect(titles()).toHaveLength(5);
  });

  it("keeps nobody waiting for a push service that is slow", async () => {
    const { ask, answer, shows } = await told(2);
    const [slow, quick] = [shows[0]!, shows[1]!];
    let go = () => {};
    slow.replies.push({ after: new Promise<void>((resolve) => (go = resolve)) });
    const stop = startAlerts();
    const id = await ask();
    const sentTo = ({ name }: typeof quick) =>
      service.pushed.filter(({ to }) => to === name).map(({ message }) => ("close" in message ? "close" : "show"));
    await expect.poll(() => sentTo(quick)).toEqual(["show"]);
    await answer(id);
    await expect.poll(() => sentTo(quick)).toEqual(["show", "close"]);
    // What takes it away there does not overtake what shows it.
    expect(sentTo(slow)).toEqual([]);
    go();
    await expect.poll(() => sentTo(slow)).toEqual(["show", "close"]);
    await stop();
  });

  it("is tried again after an outage, later each time, and when the service says so", async () => {
    const { ask, browser } = await told();
    browser.replies.push({ status: 503 }, { status: 429, headers: { "retry-after": "1200" } });
    await ask();
    const wait = async () => {
      const [row] = await db.$queryRaw<{ wait: number }[]>`
        SELECT extract(epoch FROM due_at - now())::float8 AS wait FROM alert_delivery WHERE ended_at IS NULL`;
      return row?.wait;
    };
    await alertOwners();
    expect(await wait()).toBeGreaterThan(2);
    expect(await wait()).toBeLessThan(7);
    await pass(1);
    await alertOwners();
    expect(await wait()).toBeGreaterThan(1100);
    expect(messages()).toEqual([]);
    await pass(21);
    await alertOwners();
    expect(messages()).toHaveLength(1);
  });

  it("goes on after a copy that stopped in the middle", async () => {
    const { owner, ask } = await told();
    await ask();
    await scheduleAlerts(owner.ownerId);
    // Taken by somebody who is never heard of again.
    await db.$executeRaw`UPDATE alert_delivery SET attempts = 1, due_at = now() + interval '60 seconds' WHERE ended_at IS NULL`;
    await deliverAlerts();
    expect(messages()).toEqual([]);
    await pass(1);
    await alertOwners();
    expect(messages()).toHaveLength(1);
  });

  it("ends for a browser that is gone, and for one that nobody has seen for 60 days", async () => {
    const { owner, ask, browser } = await told();
    await addDevice(owner, service.browser("idle").subscription, chrome);
    browser.reply = { status: 410 };
    await ask();
    await alertOwners();
    expect(await listDevices(owner)).toHaveLength(1);
    await db.$executeRaw`UPDATE push_subscription SET last_seen_at = now() - interval '59 days' WHERE owner_id = ${owner.ownerId}`;
    await sweep();
    expect(await listDevices(owner)).toHaveLength(1);
    await db.$executeRaw`UPDATE push_subscription SET last_seen_at = now() - interval '61 days' WHERE owner_id = ${owner.ownerId}`;
    await sweep();
    expect(await listDevices(owner)).toHaveLength(0);
  });

  it("gives up on a message that the service refuses, and after a day", async () => {
    const { ask, browser } = await told();
    browser.reply = { status: 413 };
    await ask();
    await alertOwners();
    expect((await db.alertDelivery.findMany({ orderBy: { dueAt: "desc" } }))[0]).toMatchObject({ outcome: "refused" });
    browser.reply = { status: 500 };
    await pass(10);
    await ask();
    await alertOwners();
    await pass(25 * 60);
    await alertOwners();
    expect(await db.alertDelivery.count({ where: { endedAt: null } })).toBe(0);
    expect(messages()).toEqual([]);
  });
});

describe("a browser", () => {
  it("is listed by what it is, once however often it comes", async () => {
    const { owner, browser } = await told();
    await addDevice(owner, browser.subscription, chrome);
    const other = { ...owner, session: "ses_other" };
    await addDevice(other, service.browser().subscription, "Mozilla/5.0 (iPhone) Version/18.4 Safari/604.1");
    expect(await listDevices(owner)).toMatchObject([
      { device: "Chrome on Linux", current: true },
      { device: "Safari on iPhone", current: false },
    ]);
    await expect(removeDevice((await told()).owner, (await listDevices(owner))[0]!.id)).rejects.toMatchObject({
      status: 404,
    });
  });

  it("is sealed: neither its address nor its keys are in the database", async () => {
    const { browser } = await told();
    const { rows } = await pool().query<{ line: string }>(
      "SELECT p::text || encode(p.sealed, 'escape') AS line FROM push_subscription p",
    );
    const { endpoint, auth, p256dh } = browser.subscription;
    const path = new URL(endpoint).pathname.slice(6);
    for (const secret of [path, auth, p256dh]) expect(rows.map(({ line }) => line).join()).not.toContain(secret);
  });

  it("is told nothing more once its session is ended, and goes on when the owner signs in again there", async () => {
    const { owner, ask } = await told();
    const session = await createSession(
      { ownerId: owner.ownerId, sessionVersion: 1 },
      { method: "password", userAgent: chrome, address: "127.0.0.1", instead: owner.session },
    );
    expect(await listDevices({ ...owner, session: session.id })).toMatchObject([{ current: true }]);
    await endSession({ ...owner, session: session.id }, session.id);
    expect(await listDevices(owner)).toEqual([]);
    await ask();
    await alertOwners();
    expect(messages()).toEqual([]);
  });

  it("goes on being told when its session runs out, until all are ended", async () => {
    const { owner, ask } = await told();
    await db.$executeRaw`UPDATE owner_session SET expires_at = now() - interval '1 second' WHERE owner_id = ${owner.ownerId}`;
    await sweep();
    await ask();
    await alertOwners();
    expect(titles()).toHaveLength(1);
    await signOutEverywhere(owner);
    expect(await listDevices(owner)).toEqual([]);
  });

  it("goes on being told where the password is changed, and no other does", async () => {
    const { owner } = await told(2);
    const instead = owner.session;
    const entrance = await changePassword(owner, {
      current: owner.password,
      next: "four other words in a row",
      address: "192.0.2.1",
    });
    const opening = { method: "password", userAgent: chrome, address: "127.0.0.1", instead } as const;
    const session = (await createSession(entrance, opening)).id;
    expect(await listDevices({ ...owner, session })).toMatchObject([{ current: true }]);
    expect((await listSessions({ ...owner, session })).map(({ id }) => id)).toEqual([session]);
  });

  it("goes on being told at another push address, if it knows the one it had", async () => {
    const { owner, browser, ask } = await told();
    const { endpoint: oldEndpoint, p256dh: oldP256dh, auth: oldAuth } = browser.subscription;
    const old = { oldEndpoint, oldP256dh, oldAuth };
    const next = service.browser("renewed");
    const stale = { ...owner, fresh: false };
    const other = (await told()).owner;
    const wrong = { ...old, oldAuth: randomBytes(16).toString("base64url") };
    expect(await renewDevice(other, { ...next.subscription, ...old })).toBe(false);
    expect(await renewDevice(stale, { ...next.subscription, ...wrong })).toBe(false);
    await expect(
      renewDevice(stale, { ...next.subscription, ...old, endpoint: "http://x.example" }),
    ).rejects.toMatchObject({
      status: 400,
    });
    const [{ id } = { id: "" }] = await listDevices(owner);
    expect(await renewDevice(stale, { ...next.subscription, ...old })).toBe(true);
    expect(await renewDevice(stale, { ...next.subscription, ...old })).toBe(false);
    expect((await listDevices(owner)).map((device) => device.id)).toEqual([id]);
    await ask();
    await alertOwners();
    expect(service.pushed.map(({ to }) => to)).toEqual(["renewed"]);
  });

  it("belongs to whom it was last given", async () => {
    const first = await told();
    const second = await told();
    await addDevice(second.owner, first.browser.subscription, chrome);
    expect(await listDevices(first.owner)).toEqual([]);
    await first.ask();
    await alertOwners();
    expect(messages()).toEqual([]);
  });

  it("can be sent a test, which says so when it is gone; not more than ten", async () => {
    const { owner, browser } = await told();
    const [{ id } = { id: "" }] = await listDevices(owner);
    await testDevice(owner, id);
    expect(titles()).toEqual(["Alerts work here"]);
    browser.reply = { status: 500 };
    await expect(testDevice(owner, id)).rejects.toMatchObject({ status: 502 });
    for (let n = 0; n < 8; n++) await testDevice(owner, id).catch(() => {});
    await expect(testDevice(owner, id)).rejects.toMatchObject({ status: 429 });
    await expect(testDevice((await told()).owner, id)).rejects.toMatchObject({ status: 404 });
    await db.throttle.deleteMany();
    browser.reply = { status: 404 };
    await expect(testDevice(owner, id)).rejects.toThrow(/removed/);
    expect(await listDevices(owner)).toEqual([]);
    // Sealed under a secret that the service no longer has.
    await addDevice(owner, browser.subscription, chrome);
    await db.pushSubscription.updateMany({ data: { sealed: Buffer.alloc(40) } });
    await expect(testDevice(owner, (await listDevices(owner))[0]!.id)).rejects.toThrow(/removed/);
    expect(await listDevices(owner)).toEqual([]);
  });

  it.each([
    ["http://push.example/x", "https"],
    ["https://user:secret@push.example/x", "https"],
    ["nonsense", "https"],
    [`https://push.example/${"x".repeat(1500)}`, "1500"],
  ])("has an address that a push service may have: not %.40s", async (endpoint, why) => {
    const { owner, browser } = await told();
    const refused = addDevice(owner, { ...browser.subscription, endpoint }, chrome).catch((error) =>
      JSON.stringify(error.details ?? error.issues),
    );
    expect(await refused).toContain(why);
  });

  it("cannot lead into the private network", async () => {
    const { owner, browser } = await told();
    await db.pushSubscription.deleteMany();
    await addDevice(owner, { ...browser.subscription, endpoint: "https://127.0.0.1:1/push" }, chrome);
    const [{ id } = { id: "" }] = await listDevices(owner);
    await expect(testDevice(owner, id)).rejects.toMatchObject({ status: 502 });
  });

  it("is one of at most twenty", async () => {
    const { owner } = await told();
    for (let n = 1; n < 20; n++) await addDevice(owner, service.browser().subscription, chrome);
    const key = { auth: randomBytes(16).toString("base64url") };
    await expect(addDevice(owner, { ...service.browser().subscription, ...key }, chrome)).rejects.toMatchObject({
      status: 400,
    });
  });
});
