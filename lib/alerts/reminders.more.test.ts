import { afterAll, beforeEach, expect, it } from "vitest";
import { submitApproval } from "@/lib/approvals/approvals";
import { pool } from "@/lib/database/db";
import { createSession } from "@/lib/owners/sessions";
import { changeSettings } from "@/lib/owners/settings";
import { answerApproval } from "@/lib/testing/answer-approval";
import { configure } from "@/lib/testing/change-settings";
import { alertOwners, emailOwners } from "@/lib/testing/chores";
import { anAppWith } from "@/lib/testing/factories";
import { aMailbox } from "@/lib/testing/fake-mail-server";
import { aPushService } from "@/lib/testing/fake-push-service";
import { aQuestion } from "@/lib/testing/sample-question";
import { addDevice } from "./devices";
import type { ShowMessage } from "./push-schema";

const service = await aPushService();
const mailbox = await aMailbox();
configure({ ALLOW_PRIVATE_FETCH: service.origin, SMTP_URL: mailbox.url, MAIL_FROM: "Countersign <yes@acme.example>" });
afterAll(() => Promise.all([service.close(), mailbox.close()]));
beforeEach(async () => {
  // Removes the browsers and emails of earlier tests, so that each test sees only its own messages.
  await pool().query("DELETE FROM push_subscription");
  await pool().query("INSERT INTO owner_settings (owner_id) SELECT id FROM owner ON CONFLICT DO NOTHING");
  await pool().query("UPDATE owner_settings SET email_alerts = false");
  service.pushed.length = 0;
  mailbox.letters.length = 0;
});

const minute = 60_000;

/**
 * Creates an owner with a browser that shows alerts, and an app whose questions have a deadline.
 */
async function asked({ browser = true } = {}) {
  const { owner, app, name } = await anAppWith("approvals:write");
  if (browser) {
    const entrance = { method: "password" as const, userAgent: "", address: "127.0.0.1" };
    const { id: session } = await createSession({ ownerId: owner.ownerId, sessionVersion: 1 }, entrance);
    await addDevice({ ...owner, session }, service.browser().subscription, "");
  }
  const ask = async (minutes: number, question = "Ship it?") =>
    (await submitApproval(app, { ...aQuestion, question, expiresAt: Date.now() + minutes * minute + 5000 })).id;
  return { owner, name, ask };
}

/** Simulates a pause: moves stored times back by the given minutes. */
async function pass(minutes: number) {
  const back = `- interval '${minutes} minutes'`;
  await pool().query(
    `BEGIN; SET LOCAL session_replication_role = 'replica';
     UPDATE approval SET created_at = created_at ${back}, expires_at = expires_at ${back};
     UPDATE approval a SET content_hash = approval_current_hash(a);
     UPDATE alert SET created_at = created_at ${back};
     UPDATE alert_cursor SET look_again_at = look_again_at ${back}, since = since ${back}, emailed_at = emailed_at ${back},
       emailed_upto = emailed_upto ${back};
     COMMIT`,
  );
}
const titles = () =>
  service.pushed.map(({ message }) => (message as unknown as Partial<ShowMessage>).notification?.title ?? "(close)");

it("sends one reminder when a fifth of the time to answer remains", async () => {
  const { name, ask } = await asked();
  const id = await ask(50);
  await alertOwners();
  await pass(39);
  await alertOwners();
  expect(titles()).toEqual([`New question from ${name}`]);
  await pass(1.5);
  await alertOwners();
  await alertOwners();
  expect(titles().slice(1)).toEqual([`${name}: answer a question within 9 minutes`]);
  const [, reminder] = service.pushed.map(({ message }) => message as unknown as ShowMessage);
  expect(reminder?.notification).toMatchObject({ tag: id, body: "Open Countersign to see the question." });
  await pass(3);
  await alertOwners();
  expect(titles()).toHaveLength(2);
  const { rows } = await pool().query("SELECT reminder FROM alert WHERE tag = $1 AND closed_at IS NULL", [id]);
  expect(rows).toEqual([{ reminder: true }]);
});

it("sends reminders at most an hour and at least a minute before the deadline", async () => {
  const { ask } = await asked();
  await ask(24 * 60);
  await alertOwners();
  await pass(24 * 60 - 62);
  await alertOwners();
  expect(titles()).toHaveLength(1);
  await pass(3);
  await alertOwners();
  expect(titles()[1]).toMatch(/answer a question within 59 minutes$/);

  const short = await asked();
  await short.ask(1.5);
  await alertOwners();
  await pass(1);
  await alertOwners();
  expect(titles()).toHaveLength(3);
});

it("schedules the next alert check for the time of the reminder", async () => {
  const { owner, ask } = await asked();
  await ask(50);
  await alertOwners();
  const { rows } = await pool().query(
    "SELECT extract(epoch FROM look_again_at - now())::float8 / 60 AS minutes FROM alert_cursor WHERE owner_id = $1",
    [owner.ownerId],
  );
  expect(rows[0].minutes).toBeGreaterThan(39);
  expect(rows[0].minutes).toBeLessThan(41);
});

it("sends no reminder for an answered, expired or recently alerted question", async () => {
  const { owner, ask } = await asked();
  const [answered] = [await ask(50), await ask(50)];
  await alertOwners();
  await answerApproval(owner, answered as string, { kind: "option", optionId: "ship" });
  await pass(51);
  await alertOwners();
  expect(titles().filter((title) => title.includes("answer"))).toEqual([]);
  // If the first alert is as late as a reminder would be, for example after quiet hours, no
  // reminder follows.
  await ask(50);
  await pass(45);
  await alertOwners();
  await alertOwners();
  expect(titles().filter((title) => /^New|answer/.test(title) || title.includes("question"))).toHaveLength(2);
});

it("emails a single reminder before the regular email is due", async () => {
  const { owner, ask } = await asked({ browser: false });
  await changeSettings(owner, { emailAlerts: true, emailAfterMinutes: 60 });
  const id = await ask(20, "Secret?");
  await pass(15);
  expect(await emailOwners()).toBe(0);
  await pass(1.5);
  expect(await emailOwners()).toBe(1);
  const [letter] = mailbox.letters;
  expect(/^Subject: (.*)$/m.exec(letter?.headers ?? "")?.[1]?.trim()).toMatch(
    /^Question from .* \(due \d\d:\d\d UTC\)$/,
  );
  expect(letter?.text).toContain("New question");
  expect(letter?.text).toMatch(/Due \d\d:\d\d UTC, in 3 minutes\./);
  expect(letter?.text).toContain(`/approvals/${id}`);
  expect(letter?.text).toContain("because a question’s deadline is near");
  expect(letter?.text).not.toContain("Secret");
  await pool().query("UPDATE alert_cursor SET emailed_at = now() - interval '1 hour'");
  await pass(1);
  expect(await emailOwners()).toBe(0);
});
