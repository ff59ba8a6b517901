import { randomBytes } from "node:crypto";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import * as answering from "@/lib/approvals/answer";
import { submitApproval } from "@/lib/approvals/approvals";
import { readApproval } from "@/lib/approvals/inbox-queries";
import { addToApproval } from "@/lib/approvals/thread/additions";
import { askClarification } from "@/lib/approvals/thread/clarifications";
import { returnDueSnoozed } from "@/lib/approvals/triage";
import { sweep } from "@/lib/cli/delete-expired-rows";
import { db, pool } from "@/lib/database/db";
import { updateAppPreferences } from "@/lib/grants/app-preferences";
import { revokeGrant } from "@/lib/grants/grants";
import { pushNotification } from "@/lib/notifications/notifications";
import { triage } from "@/lib/notifications/triage";
import { changePassword, signOutEverywhere } from "@/lib/owners/owners";
import { createSession, endSession, listSessions } from "@/lib/owners/sessions";
import { changeSettings } from "@/lib/owners/settings";
import { answerApproval } from "@/lib/testing/answer-approval";
import { configure } from "@/lib/testing/change-settings";
import { alertOwners, deliverAlerts } from "@/lib/testing/chores";
import { anApp, anAppWith, aTokenFor } from "@/lib/testing/factories";
import { aPushService } from "@/lib/testing/fake-push-service";
import { aQuestion } from "@/lib/testing/sample-question";
import { atEveryShard } from "@/lib/testing/shards/at-every-shard";
import { testShards } from "@/lib/testing/shards/shard-count";
import { startAlerts } from "./alert-loop";
import { addDevice, listDevices, removeDevice, renewDevice, testDevice } from "./devices";
import type { ShowMessage } from "./push-schema";
import { scheduleAlerts } from "./schedule-alerts";

const service = await aPushService();
configure({ ALLOW_PRIVATE_FETCH: service.origin });
afterAll(() => service.close());
beforeEach(async () => {
  // Removes the browsers and messages of earlier tests, so that each test sees only its own.
  await db.pushSubscription.deleteMany();
  service.pushed.length = 0;
  service.problems.length = 0;
});

const chrome = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/149.0 Safari/537.36";

/** Creates an owner with an app that may ask and notify, and with browsers that show alerts. */
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

/** Simulates a pause: moves the stored times of alerts back by the given minutes. */
const pass = (minutes: number) =>
  pool().query(
    `WITH a AS (UPDATE alert SET created_at = created_at - make_interval(mins => $1)),
      d AS (UPDATE alert_delivery SET due_at = due_at - make_interval(mins => $1) WHERE ended_at IS NULL)
      UPDATE alert_cursor SET look_again_at = look_again_at - make_interval(mins => $1), since = since - make_interval(mins => $1)`,
    [minutes],
  );
const messages = () => service.pushed.map(({ message }) => message);
const titles = () =>
  (messages() as unknown as ShowMessage[]).map(({ notification }) => notification?.title ?? "(close)");

describe("question alerts", () => {
  it("sends one encrypted alert to every browser", async () => {
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
          body: "Open Countersign to see the question.",
          lang: "en",
          dir: "auto",
          tag: id,
          requireInteraction: true,
          navigate: `http://localhost:3000/approvals/${id}`,
          actions: [
            { action: "snooze", title: "Snooze 1 h", navigate: `http://localhost:3000/approvals/${id}` },
            { action: "freeze", title: "Freeze all apps", navigate: "http://localhost:3000/frozen" },
          ],
        },
        app_badge: 1,
      });
      expect(headers.urgency).toBe("high");
      expect(bytes).toBeLessThan(4096);
    }
    expect(JSON.stringify(messages())).not.toContain("missiles");
  });

  it("shows the question's text if the owner chose full alerts", async () => {
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

  it("shows as many facts as fit if the owner chose full alerts", async () => {
    const { owner, app } = await told();
    const facts = [
      { label: "Amount", value: "86.40 €" },
      { label: "Recipient", value: "𝕏".repeat(200) },
      ...Array.from({ length: 4 }, (_, nth) => ({ label: `Line ${nth}`, value: "𝕏".repeat(200) })),
    ];
    await submitApproval(app, { ...aQuestion, facts });
    await alertOwners();
    await changeSettings(owner, { lockScreen: "full" });
    await pass(10);
    await submitApproval(app, { ...aQuestion, question: "𝕏".repeat(2000), facts });
    await alertOwners();
    const bodies = (messages() as unknown as ShowMessage[]).map(({ notification }) => notification.body);
    expect(bodies[0]).toBe("Open Countersign to see the question.");
    expect(bodies[1]).toBe(`${"𝕏".repeat(159)}…\nAmount: 86.40 €`);
    for (const { bytes } of service.pushed) expect(bytes).toBeLessThan(4096);
  });

  it("withdraws a question's alert after the owner picks a wrong number", async () => {
    const { owner, app } = await told();
    const { id } = await submitApproval(app, { ...aQuestion, risk: "high", match: "47" });
    await alertOwners();
    const { contentHash, match } = await readApproval(owner, id);
    const wrong = match?.numbers.find((number) => number !== "47");
    await answering.answerApproval(owner, id, { kind: "option", optionId: "ship" }, contentHash, {
      confirmed: true,
      picked: wrong,
    });
    await alertOwners();
    expect(messages().at(-1)).toEqual({ close: id, app_badge: 0 });
    expect(JSON.stringify(messages())).not.toContain('"47"');
  });

  it("sends an alert as soon as a question is asked", async () => {
    const { ask } = await told();
    const stop = startAlerts();
    await ask();
    await expect.poll(() => service.pushed.length).toBe(1);
    await stop();
  });

  it("sends no alert for a question asked before the browser subscribed", async () => {
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

  it("withdraws a question's alert until the app answers a clarification", async () => {
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
    // An addition to a pending question causes no second alert.
    await pass(10);
    await addToApproval({ ...app, needs: "approvals:write" }, id, { text: "And more" });
    await alertOwners();
    expect(messages()).toHaveLength(3);
  });

  it("withdraws the alert in every browser when the question is answered", async () => {
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

  it("withdraws the alert when the question is answered days later", async () => {
    const { ask, answer } = await told();
    const id = await ask();
    await alertOwners();
    await pass(3 * 24 * 60);
    await answer(id);
    await alertOwners();
    expect(messages().slice(1)).toEqual([{ close: id, app_badge: 0 }]);
  });

  it("sends no alert for a question answered after its alert was scheduled", async () => {
    const { owner, ask, answer } = await told();
    const id = await ask();
    await scheduleAlerts(owner.ownerId);
    await answer(id);
    await alertOwners();
    expect(messages()).toEqual([]);
  });

  it("withdraws a snoozed question's alert until the question returns", async () => {
    const { owner, ask } = await told();
    const id = await ask();
    await alertOwners();
    await db.$executeRaw`
      INSERT INTO approval_triage (approval_id, owner_id, snoozed_until) VALUES (${id}, ${owner.ownerId}, now() + interval '1 hour')`;
    await scheduleAlerts(owner.ownerId);
    await deliverAlerts();
    expect(messages()[1]).toEqual({ close: id, app_badge: 0 });
    await pass(61);
    // A question that returns from a snooze causes an alert even if the owner had no browser when
    // it was asked.
    await db.$executeRaw`UPDATE alert_cursor SET since = clock_timestamp()`;
    await db.$executeRaw`UPDATE approval_triage SET snoozed_until = now() + interval '1 millisecond' WHERE approval_id = ${id}`;
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(await returnDueSnoozed()).toBe(1);
    await alertOwners();
    expect(titles()).toHaveLength(3);
    expect(titles()[2]).toMatch(/^New question/);
  });

  it("sends no alert for a muted app and withdraws a disconnected app's alert", async () => {
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

describe("digests of many questions", () => {
  it("sends one digest ten minutes after the first alert", async () => {
    const { ask, name } = await told();
    for (let n = 0; n < 10; n++) {
      await Promise.all(Array.from({ length: 20 }, () => ask()));
      await alertOwners();
    }
    await pass(9);
    await alertOwners();
    const [first] = titles();
    expect(titles()).toHaveLength(1);
    const inFirst = Number(/: (\d+) new/.exec(first ?? "")?.[1] ?? 1);
    await pass(1);
    await alertOwners();
    expect(titles().slice(1)).toEqual([expect.stringMatching(`^${name}: 99\\+ (more|new) questions$`)]);
    expect(await db.alertSubject.count()).toBeGreaterThanOrEqual(200);
    // The first alert may already cover all twenty questions of the first round.
    expect(inFirst).toBeLessThanOrEqual(20);
  });

  it("replaces the digest when more questions arrive", async () => {
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

it("excludes answered questions and read notifications from the next digest", async () => {
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

describe("notification alerts", () => {
  it("sends alerts only for notifications with high or urgent priority", async () => {
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

  it("sends no alert for a muted or expired notification", async () => {
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

  it("withdraws a snoozed notification's alert until the notification returns", async () => {
    const { app, owner, name } = await told();
    const { id } = await pushNotification(app, { title: "Fire", data: { inbox: { priority: "urgent" } } });
    await alertOwners();
    await triage(owner, { act: "snooze-60", ids: [id] });
    await alertOwners([owner.ownerId]);
    expect(messages()[1]).toEqual({ close: id, app_badge: 0 });
    const watch = await db.alertCursor.findUniqueOrThrow({ where: { ownerId: owner.ownerId } });
    expect(watch.lookAgainAt).toEqual((await db.notification.findUniqueOrThrow({ where: { id } })).surfacedAt);
    await db.$executeRaw`UPDATE notification SET surfaced_at = now() WHERE id = ${id}`;
    await pass(61);
    await alertOwners();
    expect(titles()[2]).toBe(`New notification from ${name}`);
  });

  it("sends a question's alert without delay after a notification's alert", async () => {
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

it("delays alerts during quiet hours, except urgent alerts that the owner allows", async () => {
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
  const watch = await db.alertCursor.findUniqueOrThrow({ where: { ownerId: owner.ownerId } });
  expect(watch.lookAgainAt?.getTime()).toBeGreaterThan(Date.now() + 55 * 60_000);
  await pushNotification(app, { title: "Fire", data: { inbox: { priority: "urgent" } } });
  await alertOwners();
  expect(titles()).toEqual([`New notification from ${name}`]);
  // Ends the quiet hours.
  await changeSettings(owner, { quiet: { from, until: minutes === 0 ? 1439 : minutes - 1 } });
  await pass(61);
  await alertOwners();
  expect(titles().slice(1)).toEqual([`${name}: 2 new questions`]);
  await pass(10);
  await alertOwners();
  expect(titles()[2]).toBe(`New notification from ${name}`);
});

describe("alert delivery", () => {
  // `since` is a position in the log of one database.
  it.skipIf(testShards > 0)("schedules alerts for owners with changes or failures since the last run", async () => {
    const [{ ask, owner, name }, other] = [await told(), await told()];
    const { horizon } = await alertOwners();
    await ask();
    await other.ask();
    await alertOwners([other.owner.ownerId], { everyone: false });
    expect(titles()).toEqual([`New question from ${other.name}`]);
    await pool().query(`CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE ''away''; END';
      CREATE TRIGGER fails BEFORE UPDATE ON alert_cursor FOR EACH ROW EXECUTE FUNCTION fail()`);
    expect((await alertOwners([], { since: horizon })).failed).toEqual([owner.ownerId]);
    await pool().query("DROP FUNCTION fail CASCADE");
    // The scan skips owners without an event since `since`, even if alerts for them are not planned
    // yet.
    await alertOwners([], { since: String(BigInt(horizon) + 1_000_000n) });
    expect(titles()).toHaveLength(1);
    await alertOwners([], { since: horizon });
    expect(titles().slice(1)).toEqual([`New question from ${name}`]);
  });

  it("sends each alert exactly once across many instances", async () => {
    const { owner, ask } = await told(5);
    await ask();
    await Promise.all(Array.from({ length: 8 }, () => scheduleAlerts(owner.ownerId)));
    await Promise.all(Array.from({ length: 8 }, () => deliverAlerts()));
    await Promise.all(Array.from({ length: 4 }, () => alertOwners()));
    expect(titles()).toHaveLength(5);
  });

  it("delivers alerts to other browsers while one push service is slow", async () => {
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
    // The withdrawal must not overtake the alert.
    expect(sentTo(slow)).toEqual([]);
    go();
    await expect.poll(() => sentTo(slow)).toEqual(["show", "close"]);
    await stop();
  });

  it("retries an alert after the delay that the push service requests", async () => {
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

  it("resumes alert delivery after an instance stops during delivery", async () => {
    const { owner, ask } = await told();
    await ask();
    await scheduleAlerts(owner.ownerId);
    // Simulates an instance that leased the delivery and never reported a result.
    await db.$executeRaw`UPDATE alert_delivery SET attempts = 1, due_at = now() + interval '60 seconds' WHERE ended_at IS NULL`;
    await deliverAlerts();
    expect(messages()).toEqual([]);
    await pass(1);
    await alertOwners();
    expect(messages()).toHaveLength(1);
  });

  it("removes browsers that are unsubscribed or unused for 60 days", async () => {
    const { owner, ask, browser } = await told();
    await addDevice(owner, service.browser("idle").subscription, chrome);
    browser.reply = { status: 410 };
    await ask();
    await alertOwners();
    expect(await listDevices(owner)).toHaveLength(1);
    await db.$executeRaw`UPDATE push_subscription SET last_seen_at = now() - interval '59 days' WHERE owner_id = ${owner.ownerId}`;
    await atEveryShard(sweep);
    expect(await listDevices(owner)).toHaveLength(1);
    await db.$executeRaw`UPDATE push_subscription SET last_seen_at = now() - interval '61 days' WHERE owner_id = ${owner.ownerId}`;
    await atEveryShard(sweep);
    expect(await listDevices(owner)).toHaveLength(0);
  });

  it("stops retrying an alert that was rejected or is a day old", async () => {
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

describe("browser subscriptions", () => {
  it("lists a browser only once after repeated subscriptions", async () => {
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

  it("stores a browser's push address and keys only in encrypted form", async () => {
    const { browser } = await told();
    const { rows } = await pool().query<{ line: string }>(
      "SELECT p::text || encode(p.sealed, 'escape') AS line FROM push_subscription p",
    );
    const { endpoint, auth, p256dh } = browser.subscription;
    const path = new URL(endpoint).pathname.slice(6);
    for (const secret of [path, auth, p256dh]) expect(rows.map(({ line }) => line).join()).not.toContain(secret);
  });

  it("sends no alert to a browser whose session the owner ended", async () => {
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

  it("continues to send alerts to a browser whose session expired", async () => {
    const { owner, ask } = await told();
    await db.$executeRaw`UPDATE owner_session SET expires_at = now() - interval '1 second' WHERE owner_id = ${owner.ownerId}`;
    await atEveryShard(sweep);
    await ask();
    await alertOwners();
    expect(titles()).toHaveLength(1);
    await signOutEverywhere(owner);
    expect(await listDevices(owner)).toEqual([]);
  });

  it("turns off alerts in all other browsers when the owner changes the password", async () => {
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

  it("accepts a new push address only with the old keys", async () => {
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

  it("assigns a shared browser to the owner who subscribed last", async () => {
    const first = await told();
    const second = await told();
    await addDevice(second.owner, first.browser.subscription, chrome);
    expect(await listDevices(first.owner)).toEqual([]);
    await first.ask();
    await alertOwners();
    expect(messages()).toEqual([]);
  });

  it("reports an unreachable or removed browser after a test alert", async () => {
    const { owner, browser } = await told();
    const [{ id } = { id: "" }] = await listDevices(owner);
    await testDevice(owner, id);
    expect(titles()).toEqual(["Alerts are working"]);
    browser.reply = { status: 500 };
    await expect(testDevice(owner, id)).rejects.toMatchObject({ status: 502 });
    for (let n = 0; n < 8; n++) await testDevice(owner, id).catch(() => {});
    await expect(testDevice(owner, id)).rejects.toMatchObject({ status: 429 });
    await expect(testDevice((await told()).owner, id)).rejects.toMatchObject({ status: 404 });
    await db.throttle.deleteMany();
    browser.reply = { status: 404 };
    await expect(testDevice(owner, id)).rejects.toThrow(/removed/);
    expect(await listDevices(owner)).toEqual([]);
    // Simulates a subscription that is encrypted under a former secret.
    await addDevice(owner, browser.subscription, chrome);
    await db.pushSubscription.updateMany({ data: { sealed: Buffer.alloc(40) } });
    await expect(testDevice(owner, (await listDevices(owner))[0]!.id)).rejects.toThrow(/removed/);
    expect(await listDevices(owner)).toEqual([]);
  });

  it.each([
    ["without TLS", "http://push.example/x", "https"],
    ["with a password", "https://user:secret@push.example/x", "https"],
    ["that is not a URL", "nonsense", "https"],
    ["over 1,500 characters", `https://push.example/${"x".repeat(1500)}`, "1500"],
  ])("rejects a push address %s", async (_, endpoint, why) => {
    const { owner, browser } = await told();
    const refused = addDevice(owner, { ...browser.subscription, endpoint }, chrome).catch((error) =>
      JSON.stringify(error.details ?? error.issues),
    );
    expect(await refused).toContain(why);
  });

  it("sends no request to a push address in a private network", async () => {
    const { owner, browser } = await told();
    await db.pushSubscription.deleteMany();
    await addDevice(owner, { ...browser.subscription, endpoint: "https://127.0.0.1:1/push" }, chrome);
    const [{ id } = { id: "" }] = await listDevices(owner);
    await expect(testDevice(owner, id)).rejects.toMatchObject({ status: 502 });
  });

  it("limits an owner to twenty browsers", async () => {
    const { owner } = await told();
    for (let n = 1; n < 20; n++) await addDevice(owner, service.browser().subscription, chrome);
    const key = { auth: randomBytes(16).toString("base64url") };
    await expect(addDevice(owner, { ...service.browser().subscription, ...key }, chrome)).rejects.toMatchObject({
      status: 400,
    });
  });
});
