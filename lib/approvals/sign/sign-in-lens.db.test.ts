import { beforeEach, expect, test } from "vitest";
import { updateAppPreferences } from "@/lib/grants/app-preferences";
import { changeSettings } from "@/lib/owners/settings";
import { configure } from "@/lib/testing/change-settings";
import { anAppWith } from "@/lib/testing/factories";
import { aQuestion } from "@/lib/testing/sample-question";
import { aPasskeyFor, seenBy, signed } from "@/lib/testing/sign-answers";
import { answerApproval, answerBatch } from "../answer";
import { getApproval, submitApproval, tryResolve } from "../approvals";
import { contentHash } from "../content-hash";
import { holdAnswer, sendAnswersNow } from "../held-answers";
import { readApproval } from "../inbox-queries";
import type { Approval, NewApproval } from "../schema";
import { checkSignature } from "./check-signature";
import { offerSignature } from "./offer-signature";

const ship = { kind: "option", optionId: "ship" } as const;
const invalid = { status: 400, details: [{ path: "signature" }] };
const lens = "https://lens.example.com";
beforeEach(() => configure({ LENS_ORIGINS: lens }));

async function signing() {
  const { owner, app, clientId } = await anAppWith("approvals:write", "approvals:read");
  await changeSettings(owner, { undoSeconds: 0 });
  const device = await aPasskeyFor(owner);
  const ask = async (more: Partial<NewApproval> = {}) => (await submitApproval(app, { ...aQuestion, ...more })).id;
  const answer = async (id: string, origin?: string) => {
    const signature = await signed(owner, device, [id], ship, origin === undefined ? {} : { origin });
    const [{ seen } = { seen: "" }] = await seenBy(owner, [id]);
    return answerApproval(owner, id, ship, seen, { signature });
  };
  return { owner, app, clientId, device, ask, answer };
}

test("accepts only a signature of the lens if the app requires it", async () => {
  const { owner, app, ask, answer } = await signing();
  const id = await ask({ signedByOwner: "in-lens" });
  const approval = JSON.parse((await getApproval(app, id)).text) as Approval;
  expect(approval).toMatchObject({ signedByOwner: "in-lens", ownerOnly: true, contentHash: contentHash(approval) });
  expect(await readApproval(owner, id)).toMatchObject({ sign: "lens" });
  expect((await offerSignature(owner, await seenBy(owner, [id]), ship)).lens).toBe(`${lens}/`);
  await expect(answer(id)).rejects.toMatchObject(invalid);
  await expect(answer(id, "https://evil.example")).rejects.toMatchObject(invalid);
  expect(await answer(id, lens)).toMatchObject({ won: true });
});

test("accepts only a signature of the lens if the owner requires it for the app", async () => {
  const { owner, clientId, ask, answer } = await signing();
  const id = await ask();
  await updateAppPreferences(owner, clientId, { signInLens: true });
  expect(await readApproval(owner, id)).toMatchObject({ sign: "lens" });
  await expect(answer(id)).rejects.toMatchObject(invalid);
  expect(await answer(id, lens)).toMatchObject({ won: true });
});

test("accepts a signature of the lens or of the service's page if a passkey is enough", async () => {
  const { ask, answer } = await signing();
  for (const origin of [undefined, lens])
    expect(await answer(await ask({ signedByOwner: true }), origin)).toMatchObject({ won: true });
});

test("drops a held signature of the service's page once the owner requires the lens", async () => {
  const { owner, clientId, ask, answer } = await signing();
  await changeSettings(owner, { undoSeconds: 30 });
  const [here, there] = [await ask({ signedByOwner: true }), await ask({ signedByOwner: true })];
  expect(await answer(here)).toMatchObject({ held: {} });
  expect(await answer(there, lens)).toMatchObject({ held: {} });
  await updateAppPreferences(owner, clientId, { signInLens: true });
  await sendAnswersNow(owner, [here, there]);
  expect(await readApproval(owner, here)).toMatchObject({ status: "pending", triage: { seen: false } });
  expect(await readApproval(owner, there)).toMatchObject({ status: "resolved" });
});

test("rejects a signature of the service's page if the owner requires the lens before it is recorded", async () => {
  const { owner, clientId, device, ask } = await signing();
  const id = await ask();
  const [{ seen } = { seen: "" }] = await seenBy(owner, [id]);
  const sent = await signed(owner, device, [id], ship);
  const answer = { ...ship, signature: await checkSignature(owner, sent, [{ id, seen, answer: ship }]) };
  await updateAppPreferences(owner, clientId, { signInLens: true });
  const unsigned = { status: 409, details: [{ reason: "unsigned" }] };
  await expect(tryResolve(owner, id, answer, { contentHash: seen })).rejects.toMatchObject(unsigned);
  await expect(holdAnswer(owner, { id, answer, seen, seconds: 30 })).rejects.toMatchObject(unsigned);
});

test("requires the lens for a whole batch if one of its questions does", async () => {
  const { owner, device, ask } = await signing();
  const ids = [await ask({ signedByOwner: true }), await ask({ signedByOwner: "in-lens" })];
  const here = await signed(owner, device, ids, ship);
  await expect(answerBatch(owner, await seenBy(owner, ids), ship, here)).rejects.toMatchObject(invalid);
  const there = await signed(owner, device, ids, ship, { origin: lens });
  expect(await answerBatch(owner, await seenBy(owner, ids), ship, there)).toMatchObject([{ won: true }, { won: true }]);
});

test("rejects the requirement of a lens that the service doesn't have", async () => {
  const { owner, clientId, ask } = await signing();
  const id = await ask({ signedByOwner: "in-lens" });
  configure({ LENS_ORIGINS: "" });
  await expect(ask({ signedByOwner: "in-lens" })).rejects.toMatchObject({ status: 422 });
  await expect(updateAppPreferences(owner, clientId, { signInLens: true })).rejects.toMatchObject({ status: 400 });
  // The owner sees that the lens is missing, and no other signature counts.
  expect(await offerSignature(owner, await seenBy(owner, [id]), ship)).not.toHaveProperty("lens");
});
