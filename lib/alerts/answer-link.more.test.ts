import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { allowsLinkAnswer } from "@/lib/approvals/approval-sql-for-other-domains";
import { resolveApproval, submitApproval } from "@/lib/approvals/approvals";
import { undoAnswers } from "@/lib/approvals/held-answers";
import { readApproval } from "@/lib/approvals/inbox-queries";
import type { NewApproval } from "@/lib/approvals/schema";
import { addToApproval } from "@/lib/approvals/thread/additions";
import { pool } from "@/lib/database/db";
import { inHomeOf } from "@/lib/database/shards/marks";
import { sql } from "@/lib/database/sql";
import { updateAppPreferences } from "@/lib/grants/app-preferences";
import { revokeGrant } from "@/lib/grants/grants";
import { deleteOwner } from "@/lib/owner-data/account-deletion";
import { confirmEmail } from "@/lib/owners/email-confirmation";
import { changeAccount, changePassword, signOutEverywhere } from "@/lib/owners/owners";
import { createSession } from "@/lib/owners/sessions";
import { changeSettings } from "@/lib/owners/settings";
import { answerApproval } from "@/lib/testing/answer-approval";
import { configure } from "@/lib/testing/change-settings";
import { emailOwners } from "@/lib/testing/chores";
import { anAppWith, letIn } from "@/lib/testing/factories";
import { aMailbox } from "@/lib/testing/fake-mail-server";
import { aQuestion } from "@/lib/testing/sample-question";
import { aPasskeyFor } from "@/lib/testing/sign-answers";
import { answerByLink, makeAnswerLinks, openAnswerLink, undoByLink } from "./answer-link";

const mailbox = await aMailbox();
beforeAll(() => {
  configure({ SMTP_URL: mailbox.url, MAIL_FROM: "yes@acme.example" });
});
afterAll(() => mailbox.close());
beforeEach(async () => {
  await pool().query("UPDATE owner_settings SET email_alerts = false");
  await pool().query("DELETE FROM throttle");
  mailbox.letters.length = 0;
});

const address = "192.0.2.7";
const holder = { address, userAgent: "Mozilla/5.0 (iPhone) AppleWebKit/605 Version/18.0 Mobile Safari/604.1" };

async function asked(more: Partial<NewApproval> = {}, settings: Parameters<typeof changeSettings>[1] = {}) {
  const { owner, app, clientId } = await anAppWith("approvals:write", "approvals:resolve");
  await changeSettings(owner, { emailAnswers: true, undoSeconds: 0, ...settings });
  const { id } = await submitApproval(app, { ...aQuestion, ...more });
  return { owner, app, clientId, id };
}

/** Submits a question and creates its answer link. Returns functions that use the link. */
async function linked(...of: Parameters<typeof asked>) {
  const it = await asked(...of);
  const { link = "" } = (await makeAnswerLinks(it.owner.ownerId, [it.id])).get(it.id) ?? {};
  const token = new URL(link).searchParams.get("token") ?? "";
  const { contentHash: seen } = await readApproval(it.owner, it.id);
  const answer = (optionId = "ship") => answerByLink({ id: it.id, token, optionId, seen }, holder);
  const opens = async () => (await openAnswerLink(it.id, token, address)) !== undefined;
  const undo = () => undoByLink({ id: it.id, token }, holder);
  const resolution = async () => (await readApproval(it.owner, it.id)).resolution;
  return { ...it, link, token, seen, answer, opens, undo, resolution };
}

/** Moves the expiry times of all links back by the given minutes. */
const pass = (minutes: number) =>
  pool().query(`UPDATE answer_link SET expires_at = expires_at - interval '${minutes} minutes'`);

const happened = async (ownerId: string) =>
  (
    await pool().query(
      "SELECT data FROM event WHERE owner_id = $1 AND type = 'approval.answered_by_link' ORDER BY id",
      [ownerId],
    )
  ).rows.map(({ data }) => data);

/** Returns the links in the email about all pending questions. */
async function mailed(owner: { ownerId: string }) {
  await pool().query(
    `BEGIN; SET LOCAL session_replication_role = 'replica';
     UPDATE approval SET created_at = created_at - interval '20 minutes' WHERE owner_id = '${owner.ownerId}'; COMMIT`,
  );
  expect(await emailOwners()).toBe(1);
  const [letter] = mailbox.letters;
  return { letter, links: letter?.text.match(/\/(alerts\/answer|approvals)\/apr_\w+(\?token=csn_al_\w+)?/g) ?? [] };
}

it("stores emailed answer links only as hashes", async () => {
  const { owner, id } = await asked({ question: "Launch the missiles?" });
  const { letter, links } = await mailed(owner);
  expect(letter?.headers).toContain("From: Countersign <yes@acme.example>");
  const link = `/alerts/answer/${id}?token=`;
  expect(links.filter((it) => it.startsWith(link)).length).toBe(2);
  expect(links.filter((it) => !it.startsWith(link))).toEqual([]);
  expect(letter?.text).not.toContain("missiles");
  const token = links[0]?.slice(link.length) ?? "";
  expect((await openAnswerLink(id, token, address))?.approval.question).toBe("Launch the missiles?");
  const { rows } = await pool().query("SELECT l::text AS kept FROM answer_link l WHERE approval_id = $1", [id]);
  expect(rows).toHaveLength(1);
  expect(rows[0].kept).not.toContain(token.slice(8));
});

/** The link's option takes no fields. */
const ship = { id: "ship", label: "Ship" };
const fields: NewApproval["fields"] = { type: "object", properties: { note: { type: "string" } } };
it.each<[string, Partial<NewApproval>, Parameters<typeof changeSettings>[1]]>([
  ["a high-risk question", { risk: "high" }, {}],
  ["a question that only the owner may answer", { ownerOnly: true }, {}],
  ["a question with fields", { fields, options: [ship, { id: "pay", label: "Pay", fields: true }] }, {}],
  ["an owner who turned off answers by email", {}, { emailAnswers: false }],
  ["an owner who requires confirmation for every answer", {}, { alwaysConfirm: true }],
])("offers no answer link for %s", async (_, more, settings) => {
  const { owner, id, opens, answer } = await linked(more, settings);
  expect(await opens()).toBe(false);
  expect(await answer()).toBe("gone");
  expect(new Set((await mailed(owner)).links)).toEqual(new Set([`/approvals/${id}`]));
  expect((await readApproval(owner, id)).status).toBe("pending");
});

it("disables an answer link once the owner has to sign the answer", async () => {
  const { owner, id, opens, answer } = await linked({ signedByOwner: "when-possible" });
  expect(await opens()).toBe(true);
  await aPasskeyFor(owner);
  await expect.poll(() => mailbox.letters.length).toBe(1);
  mailbox.letters.length = 0;
  expect(await opens()).toBe(false);
  expect(await answer()).toBe("gone");
  expect(new Set((await mailed(owner)).links)).toEqual(new Set([`/approvals/${id}`]));
});

it("disables an answer link when the owner requires confirmation for the app", async () => {
  const { owner, clientId, id, opens } = await linked();
  expect(await opens()).toBe(true);
  await updateAppPreferences(owner, clientId, { alwaysConfirm: true });
  expect(await opens()).toBe(false);
  expect(new Set((await mailed(owner)).links)).toEqual(new Set([`/approvals/${id}`]));
});

it("rejects an answer through an answer link while the app is disconnected", async () => {
  const { owner, clientId, id, token, opens, answer } = await linked();
  await revokeGrant(owner, clientId);
  expect(await answer()).toBe("revoked");
  expect((await openAnswerLink(id, token, address))?.approval.app.revoked).toBe(true);
  expect((await readApproval(owner, id)).status).toBe("pending");
  expect(await happened(owner.ownerId)).toEqual([]);
  // The failed attempt did not consume the link.
  await letIn(owner, clientId);
  expect(await opens()).toBe(true);
  expect(await answer()).toBe("answered");
});

it("allows no answer link for a disconnected app's question", async () => {
  const { owner, clientId, id } = await asked();
  const takes = async () =>
    (
      await inHomeOf(owner.ownerId, () =>
        sql<{ takes: boolean }>`SELECT ${allowsLinkAnswer(sql`${id}`)} AS takes`.row(),
      )
    )?.takes;
  expect(await takes()).toBe(true);
  await revokeGrant(owner, clientId);
  expect(await takes()).toBe(false);
});

it("records only one of several concurrent answers given through a link", async () => {
  const { owner, opens, answer, resolution } = await linked();
  for (let look = 0; look < 30; look++) expect(await opens()).toBe(true);
  expect(await resolution()).toBeUndefined();
  expect(await Promise.all([answer(), answer("wait"), answer()])).toContain("answered");
  const first = await resolution();
  expect(first).toMatchObject({ kind: "option", resolvedBy: "owner" });
  await answer("wait");
  expect(await resolution()).toEqual(first);
  expect(await happened(owner.ownerId)).toEqual([{ device: "Safari on iPhone", address }]);
  // The page shows the result until the link expires.
  expect(await opens()).toBe(true);
  await pass(15);
  expect(await opens()).toBe(false);
});

it("limits an answer link to one question and 15 minutes", async () => {
  const [it, other] = [await linked(), await linked()];
  const second = (await submitApproval(it.app, aQuestion)).id;
  for (const id of [other.id, second]) {
    expect(await openAnswerLink(id, it.token, address)).toBeUndefined();
    const { seen, token } = it;
    expect(await answerByLink({ id, token, optionId: "ship", seen }, holder)).toBe("gone");
    expect(await undoByLink({ id, token }, holder)).toBe("gone");
  }
  expect(await openAnswerLink(it.id, it.token.replace("_al_", "_sl_"), address)).toBeUndefined();
  await pass(14);
  expect(await it.opens()).toBe(true);
  await pass(1);
  expect(await it.opens()).toBe(false);
  expect(await it.answer()).toBe("gone");
  expect(await it.resolution()).toBeUndefined();
});

it("revokes an answer link when the owner's sessions, account or email settings change", async () => {
  const ends: ((it: Awaited<ReturnType<typeof linked>>) => Promise<unknown>)[] = [
    ({ owner }) => signOutEverywhere(owner),
    async ({ owner }) => {
      await changeAccount(owner, { name: owner.name, email: `new-${owner.email}` });
      const letter = mailbox.letters.find(({ to }) => to.includes(`new-${owner.email}`));
      await confirmEmail(/token=(csn_ec_\w{49})/.exec(letter?.text ?? "")?.[1] ?? "");
    },
    async ({ owner }) => {
      const opening = { method: "password" as const, userAgent: "", address };
      const { id: session } = await createSession({ ownerId: owner.ownerId, sessionVersion: 1 }, opening);
      await changePassword({ ...owner, session }, { current: owner.password, next: "four other words here", address });
    },
    ({ owner }) => changeSettings(owner, { emailAnswers: false }),
    ({ owner }) => deleteOwner(owner, { email: owner.email }),
  ];
  for (const end of ends) {
    const it = await linked();
    expect(await it.opens()).toBe(true);
    await end(it);
    expect(await it.opens()).toBe(false);
    expect(await it.answer()).toBe("gone");
  }
});

it("accepts a new answer through the link after an undo", async () => {
  const { owner, id, answer, undo, opens, resolution, token } = await linked({}, { undoSeconds: 30 });
  expect(await answer()).toBe("answered");
  expect((await openAnswerLink(id, token, address))?.heldUntil).toEqual(
    (await readApproval(owner, id)).triage.held?.commitAt,
  );
  // The answer can still be undone after the link has expired.
  await pass(15);
  expect(await undo()).toBe("undone");
  expect((await readApproval(owner, id)).triage.held).toBeUndefined();
  expect(await opens()).toBe(false);
  await pass(-15);
  await changeSettings(owner, { undoSeconds: 0 });
  expect(await answer("wait")).toBe("answered");
  expect(await resolution()).toMatchObject({ optionId: "wait" });
  expect(await undo()).toBe("sent");
  expect((await happened(owner.ownerId)).map(({ undone }) => undone)).toEqual([undefined, true, undefined]);
});

it("undoes only the answer given through the link", async () => {
  const { owner, id, answer, undo } = await linked({}, { undoSeconds: 30 });
  await answer();
  await undoAnswers(owner, [id]);
  await answerApproval(owner, id, { kind: "option", optionId: "wait" });
  await undo();
  expect((await readApproval(owner, id)).triage.held?.answer.optionId).toBe("wait");
});

it("keeps an answer link valid after a rejected answer", async () => {
  const held = await linked({}, { undoSeconds: 30 });
  await answerApproval(held.owner, held.id, { kind: "option", optionId: "wait" });
  expect(await held.answer()).toBe("late");
  const quicker = await linked();
  await resolveApproval(quicker.app, quicker.id, { kind: "option", optionId: "wait" });
  expect(await quicker.answer()).toBe("late");
  expect(await quicker.resolution()).toMatchObject({ resolvedBy: "api" });
  const changed = await linked();
  await addToApproval(changed.app, changed.id, { text: "It costs twice as much" });
  expect(await changed.answer()).toBe("changed");
  expect(await changed.resolution()).toBeUndefined();
  const { contentHash: seen } = await readApproval(changed.owner, changed.id);
  const { id, token } = changed;
  expect(await answerByLink({ id, token, optionId: "none", seen }, holder).catch((error) => error.status)).toBe(400);
  expect(await answerByLink({ id, token, optionId: "ship", seen }, holder)).toBe("answered");
  for (const { owner } of [held, quicker]) expect(await happened(owner.ownerId)).toEqual([]);
});

it("applies a rate limit to guessed answer links but not to valid links", async () => {
  const { id, opens } = await linked();
  const { token } = await linked();
  for (let guess = 0; guess < 20; guess++) expect(await openAnswerLink(id, token, address)).toBeUndefined();
  await expect(openAnswerLink(id, token, address)).rejects.toMatchObject({ status: 429 });
  expect(await openAnswerLink(id, "csn_al_junk", address)).toBeUndefined();
  await pool().query("DELETE FROM throttle");
  for (let look = 0; look < 25; look++) expect(await opens()).toBe(true);
});
