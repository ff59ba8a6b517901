import { afterEach, expect, test } from "vitest";
import { answerApproval } from "@/lib/approvals/answer";
import { getApproval, submitApproval } from "@/lib/approvals/approvals";
import { readApproval } from "@/lib/approvals/inbox-queries";
import type { Approval, NewApproval } from "@/lib/approvals/schema";
import { offerSignature } from "@/lib/approvals/sign/offer-signature";
import { readOwnerKeys } from "@/lib/approvals/sign/owner-keys";
import { addToApproval } from "@/lib/approvals/thread/additions";
import { toBase64Url } from "@/lib/client/base64";
import { verifySignedAnswer } from "@/lib/client/signed-answers";
import { changeSettings } from "@/lib/owners/settings";
import { configure } from "@/lib/testing/change-settings";
import { anAppWith } from "@/lib/testing/factories";
import { payment } from "@/lib/testing/sample-signing-request";
import { aPasskeyFor, seenBy, signed } from "@/lib/testing/sign-answers";
import { challengeBytes } from "./fingerprint";
import { readSigningRequest } from "./signing-request";

/* Compares the lens with the requests that the service offers. */

const lens = "https://lens.example.org";
afterEach(() => configure({ LENS_ORIGINS: undefined }));

async function signing() {
  const made = await anAppWith("approvals:write", "approvals:read", "approvals:resolve");
  await changeSettings(made.owner, { undoSeconds: 0 });
  const device = await aPasskeyFor(made.owner);
  const ask = async (more: Partial<NewApproval> = {}) =>
    (await submitApproval(made.app, { ...payment, signedByOwner: true, ...more } as NewApproval)).id;
  return { ...made, device, ask };
}

const values = { amount: { amount: "50.00", currency: "EUR" }, account: "Savings" };

test("shows everything that the service offers to sign, and computes the same challenge", async () => {
  const { owner, app, clientId, ask } = await signing();
  const id = await ask({ expiresAt: Date.now() + 3_600_000 });
  await addToApproval(app, id, { text: "The bakery sent a reminder." });
  const answer = { kind: "option", optionId: "pay", note: "Only this once", values } as const;
  const { request, options } = await offerSignature(owner, await seenBy(owner, [id]), answer);
  const read = await readSigningRequest(request);
  expect(toBase64Url(await challengeBytes(read.statement))).toBe(options.challenge);
  expect(read).toMatchObject({ issuer: "http://localhost:3000", app: clientId, owner: owner.ownerId });
  expect(read.answers).toEqual([
    {
      ...{ approval: id, option: "pay", note: "Only this once", values },
      contentHash: (await readApproval(owner, id)).contentHash,
      content: {
        ...payment,
        ...{ signedByOwner: true, expiresAt: expect.any(Number) },
        additions: [{ text: "The bakery sent a reminder.", createdAt: expect.any(Number) }],
      },
    },
  ]);
});

test("reads the owner's own words and a batch", async () => {
  const { owner, ask } = await signing();
  const ids = [await ask(), await ask({ question: "Pay invoice 8?" })];
  const words = { kind: "other", otherText: "Grüße 🙂, pay half\nof it" } as const;
  const own = await offerSignature(owner, await seenBy(owner, ids.slice(0, 1)), words);
  expect((await readSigningRequest(own.request)).answers).toMatchObject([{ otherText: words.otherText }]);
  const keep = { kind: "option", optionId: "keep" } as const;
  const batch = await offerSignature(owner, await seenBy(owner, ids), keep);
  expect((await readSigningRequest(batch.request)).answers.map((it) => [it.approval, it.content.question])).toEqual([
    [ids[0], payment.question],
    [ids[1], "Pay invoice 8?"],
  ]);
});

test("accepts a signature from a lens only at an origin that the operator lists", async () => {
  const { owner, app, clientId, device, ask } = await signing();
  const id = await ask();
  const answer = { kind: "option", optionId: "later" } as const;
  const [question] = await seenBy(owner, [id]);
  const seen = question?.seen ?? "";
  const send = async () =>
    answerApproval(owner, id, answer, seen, { signature: await signed(owner, device, [id], answer, { origin: lens }) });
  await expect(send()).rejects.toMatchObject({ status: 400 });
  configure({ LENS_ORIGINS: lens });
  expect(await send()).toMatchObject({ won: true });

  const { resolution } = JSON.parse((await getApproval(app, id)).text) as Approval;
  const { keys, rpId, origins } = await readOwnerKeys(app);
  expect(origins).toEqual(["http://localhost:3000", lens]);
  const checks = { issuer: "http://localhost:3000", owner: owner.ownerId, app: clientId, approvalId: id };
  const verify = (allowed: string[]) =>
    verifySignedAnswer(resolution!, {
      ...{ ...checks, keys, rpId, origins: allowed, contentHash: seen, acceptNewKeys: true },
    });
  expect((await verify([lens])).yes("later")).toBe(true);
  // A program can require the lens: a signature on the service's own page is then refused.
  await expect(verify(["http://localhost:3000"])).rejects.toThrow(/origin/);
});
