import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { readActivity } from "@/lib/activity/activity";
import { db } from "@/lib/database/db";
import { AppError } from "@/lib/errors";
import { configure } from "@/lib/testing/change-settings";
import { flushFailedSignIns, mailRefusals } from "@/lib/testing/chores";
import { anOwner } from "@/lib/testing/factories";
import { aMailbox } from "@/lib/testing/fake-mail-server";
import { dismissFailedSignIns, unseenFailedSignIns } from "./failed-sign-ins";
import { createSession } from "./sessions";
import { limitedReauthentication, limitedSignIn } from "./sign-in-limits";

const wrong = () => Promise.reject(new AppError(401, "Wrong"));
const guess = (email: string, address = "192.0.2.1", step: "password" | "recovery_code" = "password") =>
  limitedSignIn(step, { email, address }, wrong).catch(() => {});
const counted = (ownerId: string) => db.failedSignIn.findMany({ where: { ownerId }, orderBy: { step: "asc" } });
const total = async (ownerId: string) => (await counted(ownerId)).reduce((sum, { count }) => sum + count, 0);
/** Simulates that this many minutes have passed since the failed sign-ins. */
const later = (ownerId: string, minutes = 2) =>
  db.$executeRaw`UPDATE failed_sign_in SET minute = minute - make_interval(mins => ${minutes}) WHERE owner_id = ${ownerId}`;
const refusedEvents = (ownerId: string) => db.event.findMany({ where: { ownerId, type: "owner.sign_in_refused" } });

beforeEach(() => db.throttle.deleteMany());

describe("failed sign-ins", () => {
  it("groups an owner's failed sign-ins by minute in the activity log", async () => {
    const owner = await anOwner();
    for (let time = 0; time < 15; time++) await guess(owner.email);
    await guess(owner.email, "2001:db8:1:2:3::4", "recovery_code");
    const who = { email: owner.email, session: owner.session, address: "192.0.2.1" };
    await limitedReauthentication(who, wrong).catch(() => {});
    await guess(owner.email, "198.51.100.9");
    await expect.poll(() => total(owner.ownerId)).toBe(18);
    // Keeps only the rows from the last minute, because a new minute may have begun during the
    // test.
    await db.$executeRaw`DELETE FROM failed_sign_in WHERE owner_id = ${owner.ownerId} AND minute < (SELECT max(minute) FROM failed_sign_in)`;
    expect(await flushFailedSignIns()).toBe(0);
    const rows = (await counted(owner.ownerId)).length;
    await later(owner.ownerId);
    await Promise.all([flushFailedSignIns(), flushFailedSignIns()]);
    const events = await refusedEvents(owner.ownerId);
    expect(events).toHaveLength(rows);
    const byPassword = events.find(({ data }) => (data as { step: string }).step === "password");
    expect(byPassword?.data).toMatchObject({
      step: "password",
      count: expect.any(Number),
      address: expect.any(String),
    });
    expect(JSON.stringify(events.map(({ data }) => data))).not.toContain(owner.email);
    const { items } = await readActivity(owner, { kind: "trouble" });
    expect(items.map(({ sentence }) => sentence).join()).toMatch(/failed sign-ins? with a password, from /);
    expect((await readActivity(owner, {})).items).toHaveLength(rows);
  });

  it("counts a flood of failed sign-ins in existing rows", async () => {
    const owner = await anOwner();
    await db.$executeRaw`
      INSERT INTO failed_sign_in (owner_id, step, minute, count, address)
      SELECT ${owner.ownerId}, 'password', date_trunc('minute', now()) + make_interval(mins => n), 3, '192.0.2.1'
      FROM generate_series(0, 5) AS n`;
    await Promise.all(Array.from({ length: 40 }, (_, nth) => guess(owner.email, `198.51.100.${nth}`)));
    await expect.poll(() => total(owner.ownerId)).toBe(18 + 40);
    const rows = await counted(owner.ownerId);
    expect(rows).toHaveLength(6);
    expect(rows.some(({ elsewhere }) => elsewhere)).toBe(true);
  });

  it("stores no failed sign-in for an unknown email", async () => {
    const before = await db.failedSignIn.count();
    const owner = await anOwner();
    await guess("somebody-else-entirely@example.com");
    await guess(owner.email);
    await expect.poll(() => total(owner.ownerId)).toBe(1);
    expect(await db.failedSignIn.count()).toBe(before + 1);
    expect(JSON.stringify(await db.failedSignIn.findMany())).not.toContain("somebody-else");
  });

  it("shows failed sign-ins until the owner dismisses them", async () => {
    const owner = await anOwner();
    expect(await unseenFailedSignIns(owner)).toBeUndefined();
    for (let time = 0; time < 5; time++) await guess(owner.email);
    await expect.poll(() => total(owner.ownerId)).toBe(5);
    const seen = await unseenFailedSignIns(owner);
    expect(seen).toEqual({ count: 5, from: expect.any(Number), to: expect.any(Number) });
    await dismissFailedSignIns(await anOwner(), seen?.to ?? 0);
    expect(await unseenFailedSignIns(owner)).toEqual(seen);
    await dismissFailedSignIns(owner, seen?.to ?? 0);
    expect(await unseenFailedSignIns(owner)).toBeUndefined();
    await later(owner.ownerId);
    await guess(owner.email);
    await expect.poll(() => unseenFailedSignIns(owner)).toMatchObject({ count: 1 });
  });
});

describe("with a mail server", () => {
  let mailbox: Awaited<ReturnType<typeof aMailbox>>;
  beforeAll(async () => {
    mailbox = await aMailbox();
    configure({ SMTP_URL: mailbox.url, MAIL_FROM: "Countersign <yes@acme.example>" });
  });
  afterAll(async () => {
    configure({ SMTP_URL: undefined, MAIL_FROM: undefined });
    await mailbox.close();
  });
  const lettersTo = (email: string) => mailbox.letters.filter(({ to }) => to.includes(email));

  it("sends at most one email a day about failed sign-ins", async () => {
    const owner = await anOwner();
    for (let time = 0; time < 4; time++) await guess(owner.email);
    await expect.poll(() => total(owner.ownerId)).toBe(4);
    await mailRefusals();
    expect(lettersTo(owner.email)).toEqual([]);
    await guess(owner.email);
    await expect.poll(() => total(owner.ownerId)).toBe(5);
    await Promise.all([mailRefusals(), mailRefusals()]);
    const [letter, ...others] = lettersTo(owner.email);
    expect(others).toEqual([]);
    expect(letter?.headers).toContain("Subject: 5 failed sign-ins to your Countersign account");
    expect(letter?.text).toContain("http://localhost:3000/activity?kind=refusals");
    await later(owner.ownerId);
    for (let time = 0; time < 9; time++) await guess(owner.email, "198.51.100.2");
    await expect.poll(() => total(owner.ownerId)).toBe(14);
    await mailRefusals();
    expect(lettersTo(owner.email)).toHaveLength(1);
    await db.throttle.deleteMany();
    await mailRefusals();
    expect(lettersTo(owner.email)[1]?.headers).toContain("Subject: 9 failed sign-ins");
  });

  it("resends undelivered emails in the next run", async () => {
    const owner = await anOwner();
    for (let time = 0; time < 6; time++) await guess(owner.email);
    await expect.poll(() => total(owner.ownerId)).toBe(6);
    configure({ SMTP_URL: "smtp://127.0.0.1:1" });
    await mailRefusals();
    configure({ SMTP_URL: mailbox.url });
    await mailRefusals();
    expect(lettersTo(owner.email)).toHaveLength(1);
  });

  it("reports a sign-in only on a new device", async () => {
    const owner = await anOwner();
    const entrance = { ownerId: owner.ownerId, sessionVersion: 1 };
    const android =
      "Mozilla/5.0 (Linux; Android 16) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/146.0.0.0 Mobile Safari/537.36";
    const opening = { method: "password" as const, userAgent: android, address: "192.0.2.44" };
    const told = () => db.notification.findMany({ where: { ownerId: owner.ownerId } });
    const { id, browser } = await createSession(entrance, opening);
    await createSession(entrance, { ...opening, browser });
    await createSession(entrance, { ...opening, instead: id });
    expect(await told()).toEqual([]);
    await createSession(entrance, { ...opening, method: "passkey" });
    expect(await told()).toMatchObject([
      { title: "New sign-in on Chrome on Android", type: "security", appId: "countersign" },
    ]);
    await expect.poll(() => lettersTo(owner.email).length).toBe(1);
    const [letter] = lettersTo(owner.email);
    expect(letter?.headers).toContain("Subject: New sign-in on Chrome on Android");
    expect(letter?.text).toContain("IP address: 192.0.2.44\r\nSign-in method: a passkey");
    expect(letter?.text).toContain("If this wasn");
    expect(letter?.text).toContain("http://localhost:3000/settings/security");
    const { items } = await readActivity(owner, { kind: "sign-ins" });
    expect(items.map(({ sentence }) => sentence)).toEqual([
      "You signed in with a passkey on a new device: Chrome on Android",
      ...["You signed in", "You signed in", "You signed in"],
    ]);
    await createSession(entrance, { ...opening, method: "passkey", address: "2001:db8:1:2:3::4" });
    await expect.poll(() => lettersTo(owner.email)[1]?.text).toContain("Network: 2001:db8:1:2::/64\r\n");
  });
});
