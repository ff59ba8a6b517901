import { afterAll, beforeEach, expect, it } from "vitest";
import { submitApproval } from "@/lib/approvals/approvals";
import { readApproval } from "@/lib/approvals/inbox-queries";
import type { NewApproval } from "@/lib/approvals/schema";
import { db, pool } from "@/lib/database/db";
import { updateAppPreferences } from "@/lib/grants/app-preferences";
import { createSession } from "@/lib/owners/sessions";
import { changeSettings } from "@/lib/owners/settings";
import { configure } from "@/lib/testing/change-settings";
import { anAppWith } from "@/lib/testing/factories";
import { aPushService } from "@/lib/testing/fake-push-service";
import { aPasskeyFor } from "@/lib/testing/sign-answers";
import { alertOwners } from "./alert-loop";
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

/** Creates an owner who has a passkey and a browser, and allows answers from alerts and emails. */
async function anEasyOwner() {
  const { owner, app, clientId } = await anAppWith("approvals:write");
  const settings = { lockScreen: "full", answerFromAlerts: true, emailAnswers: true, undoSeconds: 0 } as const;
  await changeSettings(owner, settings);
  await aPasskeyFor(owner);
  const entrance = { ownerId: owner.ownerId, sessionVersion: 1 };
  const session = await createSession(entrance, { method: "password", userAgent: chrome, address });
  owner.session = session.id;
  await addDevice(owner, service.browser().subscription, chrome);
  const ask = async (more: Partial<NewApproval> = {}) => {
    const before = service.pushed.length;
    const { id } = await submitApproval(app, { ...lowRisk, ...more });
    await alertOwners();
    const [shown] = service.pushed
      .slice(before)
      .map(({ message }) => (message as unknown as ShowMessage).notification) as [ShowMessage["notification"]];
    return { id, shown, ticket: shown.data?.ticket ?? "" };
  };
  const byLink = async (id: string) => {
    const { link = "" } = (await makeAnswerLinks(owner.ownerId, [id])).get(id) ?? {};
    const token = new URL(link).searchParams.get("token") ?? "";
    const { contentHash: seen } = await readApproval(owner, id);
    const result = await answerByLink({ id, token, optionId: "y", seen }, { address, userAgent: chrome });
    return { result, opened: await openAnswerLink(id, token, address) };
  };
  const status = async (id: string) => (await readApproval(owner, id)).status;
  return { owner, clientId, ask, byLink, status };
}

it.each<[string, Partial<NewApproval>, "everything" | "the app" | undefined]>([
  ["an app that requires a signature", { signedByOwner: true }, undefined],
  ["an app that asks for a signature when possible", { signedByOwner: "when-possible" }, undefined],
  ["an owner who signs everything", {}, "everything"],
  ["an owner who signs answers to the app", {}, "the app"],
])("offers no answers outside the page for %s", async (_, more, sign) => {
  const { owner, clientId, ask, byLink, status } = await anEasyOwner();
  const easy = await ask();
  expect(easy.shown.actions.map(({ title }) => title)).toContain("Tidy it");
  expect(await answerFromAlert(easy.ticket, 0)).toMatchObject({ title: "Answered · Tidy it" });
  const mailed = await ask();
  expect(await byLink(mailed.id)).toMatchObject({ result: "answered" });
  // These alerts are sent before the owner requires signatures.
  const early = await ask();
  if (sign === "everything") await changeSettings(owner, { signAnswers: true });
  if (sign === "the app") await updateAppPreferences(owner, clientId, { signAnswers: true });
  if (sign) expect(await answerFromAlert(early.ticket, 0)).toBeUndefined();
  const { id, shown, ticket } = await ask(more);
  expect(shown.actions.map(({ title }) => title)).not.toContain("Tidy it");
  expect([ticket, shown.navigate]).toEqual(["", `http://localhost:3000/approvals/${id}`]);
  expect(await byLink(id)).toEqual({ result: "gone", opened: undefined });
  expect([await status(easy.id), await status(mailed.id), await status(id)]).toEqual([
    "resolved",
    "resolved",
    "pending",
  ]);
  if (sign) expect(await status(early.id)).toBe("pending");
});
