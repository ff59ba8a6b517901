import { afterAll, beforeEach, expect, it } from "vitest";
import type { SessionOwner } from "@/lib/actor";
import { submitApproval } from "@/lib/approvals/approvals";
import { readApproval } from "@/lib/approvals/inbox-queries";
import type { NewApproval } from "@/lib/approvals/schema";
import { db, pool } from "@/lib/database/db";
import { updateAppPreferences } from "@/lib/grants/app-preferences";
import { createSession } from "@/lib/owners/sessions";
import { changeSettings } from "@/lib/owners/settings";
import { configure } from "@/lib/testing/change-settings";
import { alertOwners } from "@/lib/testing/chores";
import { anAppWith } from "@/lib/testing/factories";
import { aPushService } from "@/lib/testing/fake-push-service";
import { aPasskeyFor } from "@/lib/testing/sign-answers";
import { answerByLink, makeAnswerLinks, openAnswerLink } from "./answer-link";
import { addDevice } from "./devices";
import { answerFromAlert } from "./one-tap-answer";
import type { ShowMessage } from "./push-schema";

/* Alerts and emails never answer a question that the owner has to sign. They link to its page. */

const service = await aPushService();
configure({ ALLOW_PRIVATE_FETCH: service.origin });
afterAll(() => service.close());
beforeEach(async () => {
  await db.pushSubscription.deleteMany();
  await pool().query("DELETE FROM throttle");
  service.pushed.length = 0;
});

const address = "192.0.2.7";
const chrome = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/149.0 Safari/537.36";
const lowRisk = {
  question: "Tidy the cache?",
  options: [
    { id: "y", label: "Tidy it" },
    { id: "n", label: "Leave it" },
  ],
  risk: "low" as const,
};

/**
 * Asks an owner who has a passkey and a browser, and allows answers from alerts and emails. Returns
 * the alert, and functions that answer outside the question's page.
 */
async function asked(more: Partial<NewApproval> = {}, sign?: (owner: SessionOwner, clientId: string) => Promise<void>) {
  const { owner, app, clientId } = await anAppWith("approvals:write");
  const settings = { lockScreen: "full", answerFromAlerts: true, emailAnswers: true, undoSeconds: 0 } as const;
  await changeSettings(owner, settings);
  await aPasskeyFor(owner);
  await sign?.(owner, clientId);
  const entrance = { ownerId: owner.ownerId, sessionVersion: 1 };
  const session = await createSession(entrance, { method: "password", userAgent: chrome, address });
  owner.session = session.id;
  await addDevice(owner, service.browser().subscription, chrome);
  const before = service.pushed.length;
  const { id } = await submitApproval(app, { ...lowRisk, ...more });
  await alertOwners();
  const [shown] = service.pushed
    .slice(before)
    .map(({ message }) => (message as unknown as ShowMessage).notification) as [ShowMessage["notification"]];
  const byLink = async () => {
    const { link = "" } = (await makeAnswerLinks(owner.ownerId, [id])).get(id) ?? {};
    const token = new URL(link).searchParams.get("token") ?? "";
    const { contentHash: seen } = await readApproval(owner, id);
    const result = await answerByLink({ id, token, optionId: "y", seen }, { address, userAgent: chrome });
    return { result, opens: (await openAnswerLink(id, token, address)) !== undefined };
  };
  const press = () => answerFromAlert(shown.data?.ticket ?? "", 0);
  const status = async () => (await readApproval(owner, id)).status;
  return { owner, clientId, id, shown, byLink, press, status };
}

const everything = (owner: SessionOwner) => changeSettings(owner, { signAnswers: true });
const theApp = (owner: SessionOwner, clientId: string) => updateAppPreferences(owner, clientId, { signAnswers: true });
const buttons = ({ actions = [] }: ShowMessage["notification"]) => actions.map(({ title }) => title);

it("answers through an alert or an email if no signature is needed", async () => {
  const [alerted, mailed] = [await asked(), await asked()];
  expect(buttons(alerted.shown)).toEqual(["Tidy it", "Leave it", "Freeze all apps"]);
  expect(await alerted.press()).toMatchObject({ title: "Answered · Tidy it" });
  expect(await mailed.byLink()).toEqual({ result: "answered", opens: true });
  expect([await alerted.status(), await mailed.status()]).toEqual(["resolved", "resolved"]);
});

it.each<[string, ...Parameters<typeof asked>]>([
  ["an app that requires a signature", { signedByOwner: true }],
  ["an app that asks for a signature when possible", { signedByOwner: "when-possible" }],
  ["an owner who signs everything", {}, everything],
  ["an owner who signs answers to the app", {}, theApp],
])("offers no answers outside the page for %s", async (_, more, sign) => {
  const { id, shown, byLink, press, status } = await asked(more, sign);
  expect(buttons(shown)).not.toContain("Tidy it");
  expect(shown.navigate).toBe(`http://localhost:3000/approvals/${id}`);
  expect(await press()).toBeUndefined();
  expect(await byLink()).toEqual({ result: "gone", opens: false });
  expect(await status()).toBe("pending");
});

it.each([
  ["everything", everything],
  ["answers to the app", theApp],
])("rejects presses on earlier alerts once the owner signs %s", async (_, sign) => {
  const { owner, clientId, byLink, press, status } = await asked();
  await sign(owner, clientId);
  expect(await press()).toBeUndefined();
  expect(await byLink()).toEqual({ result: "gone", opens: false });
  expect(await status()).toBe("pending");
});
