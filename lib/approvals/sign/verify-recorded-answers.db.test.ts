import { expect, test } from "vitest";
import type { Jwks } from "@/lib/client/receipts";
import { verifyReceipt } from "@/lib/client/receipts";
import { verifySignedAnswer } from "@/lib/client/signed-answers";
import type { Resolution } from "@/lib/client/types";
import { pool } from "@/lib/database/db";
import { addPasskey, beginPasskey, removePasskey } from "@/lib/owners/passkeys/passkeys";
import { changeSettings } from "@/lib/owners/settings";
import { publicKeys } from "@/lib/receipts/receipt-keys";
import { issueReceipt } from "@/lib/receipts/receipts";
import { anAppWith } from "@/lib/testing/factories";
import { anAuthenticator, type PasskeyAlgorithm } from "@/lib/testing/passkey-authenticator";
import { aQuestion } from "@/lib/testing/sample-question";
import { seenBy, signed } from "@/lib/testing/sign-answers";
import { answerApproval, answerBatch } from "../answer";
import { getApproval, submitApproval } from "../approvals";
import type { Answer, Approval, NewApproval } from "../schema";
import { readOwnerKeys } from "./owner-keys";

const ship = { kind: "option", optionId: "ship" } as const;

/** Creates an owner with a passkey, and a verifier that pinned the key. */
async function verifying(algorithm: PasskeyAlgorithm = "ES256") {
  const { app, owner, clientId } = await anAppWith("approvals:write", "approvals:read");
  await changeSettings(owner, { undoSeconds: 0 });
  const device = anAuthenticator(algorithm);
  await addPasskey(owner, { name: "Phone", response: device.create(await beginPasskey(owner)) });
  const { keys } = await readOwnerKeys(app);
  const ask = async (more: Partial<NewApproval> = {}) => {
    const content = { ...aQuestion, signedByOwner: true as const, ...more };
    return { content, approvalId: (await submitApproval(app, content)).id, askedAt: Date.now() };
  };
  const sign = async (ids: string[], answer: Answer, by = device) => {
    const signature = await signed(owner, by, ids, answer);
    const questions = await seenBy(owner, ids);
    const [first] = questions;
    if (questions.length > 1) await answerBatch(owner, questions, answer, signature);
    else await answerApproval(owner, first!.id, answer, first!.seen, { signature });
  };
  const expected = { issuer: "http://localhost:3000", app: clientId, owner: owner.ownerId, keys };
  const read = async (id: string) => JSON.parse((await getApproval(app, id)).text) as Approval;
  const verify = async (asked: Awaited<ReturnType<typeof ask>>) => {
    const { approvalId, content } = asked;
    const { issuer } = expected;
    const jwks = { keys: await publicKeys() } as Jwks;
    const checks = { issuer, audience: clientId, owner: owner.ownerId, approvalId, content, jwks };
    const { resolution } = await verifyReceipt(await issueReceipt(app, approvalId), checks);
    return verifySignedAnswer(resolution, { ...expected, ...asked });
  };
  return { app, owner, device, ask, sign, read, verify, expected };
}

test.each(["ES256", "EdDSA", "RS256"] as const)(
  "records answers signed with %s that the client verifies",
  async (by) => {
    const { device, ask, sign, verify } = await verifying(by);
    const [one, words] = [await ask(), await ask()];
    await sign([one.approvalId], { ...ship, note: "Go – é" });
    const verified = await verify(one);
    expect(verified).toMatchObject({ credentialId: device.id, synced: false });
    expect([verified.yes("ship"), verified.yes("wait")]).toEqual([true, false]);
    await sign([words.approvalId], { kind: "other", otherText: "Tomorrow,\nnot today 🙂" });
    expect((await verify(words)).yes("ship")).toBe(false);
  },
);

test("records signed values and signed batches that the client verifies", async () => {
  const { ask, sign, verify } = await verifying();
  const fields = {
    type: "object",
    properties: { b: { type: "string" }, a: { type: "number" } },
    required: ["a"],
  } as const;
  const paid = await ask({ fields, options: [{ id: "pay", label: "Pay", fields: true }] } as never);
  const values = { b: "x\ny", a: 0.1 };
  await sign([paid.approvalId], { kind: "option", optionId: "pay", values });
  expect((await verify(paid)).yes("pay", values)).toBe(true);
  const batch = [await ask(), await ask(), await ask()];
  await sign(
    batch.map(({ approvalId }) => approvalId),
    ship,
  );
  for (const asked of batch) expect((await verify(asked)).yes("ship")).toBe(true);
});

test("rejects answers that the operator altered, and keys that the operator added", async () => {
  const { app, owner, device, ask, sign, read, verify, expected } = await verifying();
  const [altered, replayed, added] = [await ask(), await ask(), await ask()];
  await sign([altered.approvalId], ship);
  const { resolution } = await read(altered.approvalId);
  const forge = (id: string, change: object) =>
    pool().query(
      `BEGIN; SET LOCAL session_replication_role = replica;
       UPDATE approval SET status = 'resolved', resolved_at = now(),
         resolution = '${JSON.stringify({ ...resolution, ...change })}' WHERE id = '${id}'; COMMIT`,
    );
  await forge(altered.approvalId, { optionId: "wait" });
  await expect(verify(altered)).rejects.toThrow("option does not match the answer");
  await forge(altered.approvalId, {});
  expect((await verify(altered)).yes("ship")).toBe(true);
  await forge(replayed.approvalId, {});
  await expect(verify(replayed)).rejects.toThrow("does not have this approval exactly once");

  const mallory = anAuthenticator();
  await addPasskey(owner, { name: "Mallory", response: mallory.create(await beginPasskey(owner)) });
  await sign([added.approvalId], ship, mallory);
  await expect(verify(added)).rejects.toThrow("not one of the owner's keys");
  await removePasskey(owner, device.id);
  const { keys } = await readOwnerKeys(app);
  const given = (await read(added.approvalId)).resolution as Resolution;
  const again = { ...expected, ...added, keys };
  await expect(verifySignedAnswer(given, again)).rejects.toThrow("added after the question was asked");
  const { askedAt: _, ...timeless } = again;
  expect(await verifySignedAnswer(given, { ...timeless, acceptNewKeys: true })).toMatchObject({
    credentialId: mallory.id,
  });
});
