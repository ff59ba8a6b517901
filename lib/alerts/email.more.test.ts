import { afterAll, beforeEach, expect, it, test } from "vitest";
import { submitApproval } from "@/lib/approvals/approvals";
import { readApproval } from "@/lib/approvals/inbox-queries";
import { returnDueSnoozed } from "@/lib/approvals/triage";
import { db, pool } from "@/lib/database/db";
import { everyApp, freeze } from "@/lib/freeze/freeze";
import { updateAppPreferences } from "@/lib/grants/app-preferences";
import { changePassword, signOutEverywhere } from "@/lib/owners/owners";
import { changeSettings, readSettings } from "@/lib/owners/settings";
import { answerApproval } from "@/lib/testing/answer-approval";
import { configure } from "@/lib/testing/change-settings";
import { emailOwners } from "@/lib/testing/chores";
import { anApp, anAppWith, anOwner, aTokenFor } from "@/lib/testing/factories";
import { aMailbox } from "@/lib/testing/fake-mail-server";
import { aQuestion } from "@/lib/testing/sample-question";
import { emailFreezePath, freezeByLink } from "./email-freeze";
import { emailOffPath, switchEmailOff } from "./email-unsubscribe";

const mailbox = await aMailbox();
configure({ SMTP_URL: mailbox.url, MAIL_FROM: "Countersign <yes@acme.example>" });
afterAll(() => mailbox.close());
beforeEach(async () => {
  // Turns off emails to the owners of earlier tests, so that each test sees only emails to its own
  // owner.
  await pool().query("UPDATE owner_settings SET email_alerts = false");
  await pool().query(
    "INSERT INTO owner_settings (owner_id, email_alerts) SELECT id, false FROM owner ON CONFLICT DO NOTHING",
  );
  mailbox.letters.length = 0;
});

async function asked(...questions: string[]) {
  const { owner, app, name, clientId } = await anAppWith("approvals:write");
  const ask = async (question = "Ship it?") => (await submitApproval(app, { ...aQuestion, question })).id;
  const ids = [];
  for (const question of questions) ids.push(await ask(question));
  const answer = (id: string) => answerApproval(owner, id, { kind: "option", optionId: "ship" });
  return { owner, name, clientId, ask, ids, answer };
}

/**
 * Moves stored times back by this many minutes. Disables the trigger that keeps questions
 * immutable.
 */
async function pass(minutes: number) {
  await pool().query(
    `BEGIN; SET LOCAL session_replication_role = 'replica';
     UPDATE approval SET created_at = created_at - interval '${minutes} minutes';
     UPDATE approval_triage SET returned_at = returned_at - interval '${minutes} minutes';
     UPDATE alert_cursor SET emailed_at = emailed_at - interval '${minutes} minutes', emailed_upto = emailed_upto - interval '${minutes} minutes';
     COMMIT`,
  );
}
const subject = (at = 0) => /^Subject: (.*)$/m.exec(mailbox.letters[at]?.headers ?? "")?.[1]?.trim();

it("sends the first email after the delay that the owner chose", async () => {
  const { owner, name, ids } = await asked("Launch the missiles?");
  await changeSettings(owner, { emailAfterMinutes: 15 });
  await pass(14);
  expect(await emailOwners()).toBe(0);
  await pass(1);
  expect(await emailOwners()).toBe(1);
  const [letter] = mailbox.letters;
  expect(letter?.to).toEqual([owner.email]);
  expect(subject()).toBe(`Question from ${name}`);
  expect(letter?.text).toContain(`http://localhost:3000/approvals/${ids[0]}`);
  expect(letter?.text).not.toContain("missiles");
  await pass(60);
  expect(await emailOwners()).toBe(0);
});

it("includes the text of pending questions if the owner chose full alerts", async () => {
  const { owner, name, clientId } = await asked(...Array.from({ length: 12 }, (_, n) => `Question ${n}?`));
  await changeSettings(owner, { lockScreen: "full" });
  await pass(10);
  await emailOwners();
  expect(subject()).toBe(`12 questions from ${name}`);
  expect(mailbox.letters[0]?.text).toContain("Question 9?");
  expect(mailbox.letters[0]?.text).toMatch(/And 2 more questions:\s+http:\/\/localhost:3000\/approvals\s/);
  await updateAppPreferences(owner, clientId, { questionsMuted: true });
  const other = await anApp(owner);
  const { app } = await aTokenFor(owner, other.clientId, ["approvals:write"]);
  await submitApproval(app, { ...aQuestion, question: "Alone?" });
  await pass(10);
  await emailOwners();
  expect(subject(1)).toBe(`${other.name}: Alone?`);
});

it("includes facts only in full alerts and never includes the number to match", async () => {
  const { owner, app } = await anAppWith("approvals:write");
  const facts = [{ label: "Amount", value: "EUR 86.40" }];
  const { id } = await submitApproval(app, { ...aQuestion, facts, risk: "high", match: "47" });
  for (const lockScreen of ["private", "full"] as const) {
    await changeSettings(owner, { lockScreen, emailAnswers: true });
    await pass(10);
    await pool().query("UPDATE alert_cursor SET emailed_upto = NULL WHERE owner_id = $1", [owner.ownerId]);
    await emailOwners();
  }
  const texts = mailbox.letters.map(({ text }) => text);
  expect(texts.map((text) => text.includes("Amount: EUR 86.40"))).toEqual([false, true]);
  const numbers = (await readApproval(owner, id)).match?.numbers ?? [];
  expect(numbers).toHaveLength(3);
  for (const text of texts) {
    expect(text).toContain(`/approvals/${id}`);
    // A high-risk question needs a sign-in.
    expect(text).not.toContain("without signing in");
    // The date and the delay of the email can contain the same number.
    const others = text.replaceAll(/^Date: .*$|10 minutes/gm, "");
    for (const number of numbers) expect(others).not.toMatch(new RegExp(`(^|\\s)${number}(\\s|$)`));
  }
});

it("waits ten minutes between emails about new questions", async () => {
  const { ask } = await asked("One?");
  await pass(10);
  expect(await emailOwners()).toBe(1);
  await ask("Two?");
  await pass(9);
  expect(await emailOwners()).toBe(0);
  await pass(1);
  expect(await emailOwners()).toBe(1);
  expect(subject(1)).toMatch(/^2 questions from /);
  await pass(30);
  expect(await emailOwners()).toBe(0);
});

it("restarts the email delay when a snoozed question returns", async () => {
  const [mailed, never] = [await asked("One?"), await asked("Two?")];
  const putOff = ({ owner, ids }: typeof mailed) => db.$executeRaw`
    INSERT INTO approval_triage (approval_id, owner_id, snoozed_until) VALUES (${ids[0]}, ${owner.ownerId}, now() + interval '1 hour')`;
  await putOff(never);
  await pass(10);
  expect(await emailOwners()).toBe(1);
  await putOff(mailed);
  await db.$executeRaw`UPDATE approval_triage SET snoozed_until = now() - interval '1 millisecond'`;
  expect(await returnDueSnoozed()).toBe(2);
  await pass(9);
  expect(await emailOwners()).toBe(0);
  await pass(1);
  expect(await emailOwners()).toBe(2);
});

it("sends no email about answered, snoozed, muted, frozen or opened questions", async () => {
  const frozen = await asked("Six?");
  await freeze(frozen.owner, { appId: everyApp, by: "owner" });
  const answered = await asked("One?");
  await answered.answer(answered.ids[0]!);
  const off = await asked("Two?");
  await db.$executeRaw`
    INSERT INTO approval_triage (approval_id, owner_id, snoozed_until) VALUES (${off.ids[0]}, ${off.owner.ownerId}, now() + interval '3 hours')`;
  const muted = await asked("Three?");
  await updateAppPreferences(muted.owner, muted.clientId, { questionsMuted: true });
  const unwanted = await asked("Four?");
  await changeSettings(unwanted.owner, { emailAlerts: false });
  const looked = await asked("Five?");
  await db.$executeRaw`INSERT INTO approval_triage (approval_id, owner_id, seen_at) VALUES (${looked.ids[0]}, ${looked.owner.ownerId}, now())`;
  const { ownerId } = looked.owner;
  await db.pushSubscription.create({
    data: {
      id: "psh_x",
      ownerId,
      sessionId: "ses_x",
      hash: Buffer.from("x"),
      sealed: Buffer.from("x"),
      service: "x",
      device: "x",
    },
  });
  await db.alert.create({
    data: {
      id: "alt_x",
      ownerId,
      appId: looked.clientId,
      about: "questions",
      tag: looked.ids[0]!,
      subjects: { create: { ownerId, subject: looked.ids[0]! } },
      deliveries: { create: { ownerId, targetId: "psh_x", kind: "show", endedAt: new Date(), outcome: "sent" } },
    },
  });
  await pass(20);
  expect(await emailOwners()).toBe(0);
  // The question counts as seen, but its page may have been open in a forgotten tab. No alert was
  // sent, so an email is due.
  await db.alert.deleteMany();
  expect(await emailOwners()).toBe(1);
});

it("delays email until quiet hours end", async () => {
  const { owner } = await asked("One?");
  const minutes = Math.floor((Date.now() % 86_400_000) / 60_000);
  await changeSettings(owner, {
    quiet: { from: (minutes + 1380) % 1440, until: (minutes + 60) % 1440 },
    timeZone: "UTC",
  });
  await pass(10);
  expect(await emailOwners()).toBe(0);
  await changeSettings(owner, { quiet: null });
  expect(await emailOwners()).toBe(1);
});

it("sends only one email across several instances", async () => {
  await asked("One?");
  await pass(10);
  configure({ SMTP_URL: "smtp://127.0.0.1:1" });
  expect(await emailOwners()).toBe(0);
  configure({ SMTP_URL: mailbox.url });
  expect(await emailOwners()).toBe(0);
  await pass(10);
  const sent = await Promise.all(Array.from({ length: 6 }, () => emailOwners()));
  expect(sent.reduce((all, one) => all + one)).toBe(1);
  expect(mailbox.letters).toHaveLength(1);
});

it("freezes all apps only through a valid link, until the owner signs out everywhere", async () => {
  const [{ owner, clientId }, other] = [await asked("Ship it?"), await anOwner()];
  const path = await emailFreezePath(owner.ownerId);
  const key = new URL(path, "http://x").searchParams.get("key") ?? "";
  const isFrozen = async () => (await db.grant.findFirstOrThrow({ where: { appId: clientId } })).frozenAt !== null;
  const offKey = new URL(await emailOffPath(owner.ownerId), "http://x").searchParams.get("key") ?? "";
  for (const wrong of ["", "x", offKey]) expect(await freezeByLink(owner.ownerId, wrong)).toBe(false);
  expect([await freezeByLink(other.ownerId, key), await isFrozen()]).toEqual([false, false]);
  expect([await freezeByLink(owner.ownerId, key), await isFrozen()]).toEqual([true, true]);
  await signOutEverywhere(owner);
  expect(await freezeByLink(owner.ownerId, key)).toBe(false);
});

it("turns off email alerts only through a valid unsubscribe link", async () => {
  const { owner } = await asked("One?");
  await pass(10);
  await emailOwners();
  const link =
    /^List-Unsubscribe: <(\S+)>$/m.exec(
      mailbox.letters[0]?.headers.replace(/\r?\n\s+/g, " ").replace(/\r/g, "") ?? "",
    )?.[1] ?? "";
  expect(mailbox.letters[0]?.headers).toContain("List-Unsubscribe-Post: List-Unsubscribe=One-Click");
  const query = new URL(link).searchParams;
  const key = query.get("key") ?? "";
  const other = (await asked()).owner;
  expect(await switchEmailOff(other.ownerId, key)).toBe(false);
  expect(await switchEmailOff("own_x", key)).toBe(false);
  expect(await switchEmailOff(query.get("owner") ?? "", key)).toBe(true);
  expect((await readSettings(owner)).emailAlerts).toBe(false);
  expect((await readSettings(other)).emailAlerts).toBe(true);
});

test.each<[string, (owner: Awaited<ReturnType<typeof anOwner>>) => Promise<unknown>]>([
  [
    "an email change",
    (owner) => db.owner.update({ where: { id: owner.ownerId }, data: { email: `new-${owner.email}` } }),
  ],
  [
    "a password change",
    (owner) =>
      changePassword(owner, { current: owner.password, next: "seven new words in a long row", address: "::1" }),
  ],
  ["a sign-out of all sessions", (owner) => signOutEverywhere(owner)],
])("invalidates older unsubscribe links after %s", async (_, happens) => {
  const owner = await anOwner();
  const keyOf = (path: string) => new URL(path, "http://localhost").searchParams.get("key") ?? "";
  const before = keyOf(await emailOffPath(owner.ownerId));
  await happens(owner);
  expect(await switchEmailOff(owner.ownerId, before)).toBe(false);
  expect((await readSettings(owner)).emailAlerts).toBe(true);
  expect(await switchEmailOff(owner.ownerId, keyOf(await emailOffPath(owner.ownerId)))).toBe(true);
  expect((await readSettings(owner)).emailAlerts).toBe(false);
});

test("sends no email to an unconfirmed address", async () => {
  const { owner } = await asked("One?");
  await db.owner.update({ where: { id: owner.ownerId }, data: { confirmedEmail: null } });
  await pass(10);
  expect(await emailOwners()).toBe(0);
  expect(mailbox.letters).toEqual([]);
  await db.owner.update({ where: { id: owner.ownerId }, data: { confirmedEmail: owner.email } });
  expect(await emailOwners()).toBe(1);
});
