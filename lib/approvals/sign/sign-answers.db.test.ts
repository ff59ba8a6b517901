import { createHash, createPublicKey, verify } from "node:crypto";
import { expect, test } from "vitest";
import { canonicalJson } from "@/lib/client/canonical-json";
import { db, pool } from "@/lib/database/db";
import { updateAppPreferences } from "@/lib/grants/app-preferences";
import { removePasskey } from "@/lib/owners/passkeys/passkeys";
import { changeSettings } from "@/lib/owners/settings";
import { issueReceipt } from "@/lib/receipts/receipts";
import { recordUse } from "@/lib/receipts/use-answer";
import { sendDueAnswers } from "@/lib/testing/chores";
import { anAppWith } from "@/lib/testing/factories";
import { aQuestion } from "@/lib/testing/sample-question";
import { aPasskeyFor, seenBy, signed } from "@/lib/testing/sign-answers";
import { answerApproval, answerBatch } from "../answer";
import { getApproval, resolveApproval, submitApproval } from "../approvals";
import { contentHash } from "../content-hash";
import { sendAnswersNow, undoAnswers } from "../held-answers";
import { readApproval } from "../inbox-queries";
import type { Approval, NewApproval, Resolution } from "../schema";
import { withdrawAnswer } from "../use/withdraw-answer";
import { offerSignature } from "./offer-signature";
import type { SigningRequest, Statement } from "./schema";

const ship = { kind: "option", optionId: "ship" } as const;
const unsigned = { status: 409, details: [{ reason: "unsigned" }] };
const invalid = { status: 400, details: [{ path: "signature" }] };
const sha256 = (text: string | Buffer) => createHash("sha256").update(text).digest();
const hashOf = (text: string) => `sha256:${sha256(text).toString("hex")}`;

/** Creates an owner with a passkey, and an app of theirs. */
async function signing() {
  const made = await anAppWith("approvals:write", "approvals:read", "approvals:resolve");
  await changeSettings(made.owner, { undoSeconds: 0 });
  const device = await aPasskeyFor(made.owner);
  const ask = async (more: Partial<NewApproval> = { signedByOwner: true }) =>
    (await submitApproval(made.app, { ...aQuestion, ...more })).id;
  const read = async (id: string) => JSON.parse((await getApproval(made.app, id)).text) as Approval;
  const seen = async (id: string) => (await readApproval(made.owner, id)).contentHash;
  return { ...made, device, ask, read, seen };
}

test("records the signature of the owner's passkey with the answer", async () => {
  const { owner, app, clientId, device, ask, read, seen } = await signing();
  const id = await ask();
  const answer = { ...ship, note: "Go\u00e9" };
  const signature = await signed(owner, device, [id], answer, { synced: true });
  const result = await answerApproval(owner, id, answer, await seen(id), { signature });
  const approval = await read(id);
  // Pages get no signature.
  expect(result).toEqual({ won: true, resolution: { ...approval.resolution, signature: undefined } });
  expect(approval).toMatchObject({ signedByOwner: true, ownerOnly: true, contentHash: contentHash(approval) });
  const recorded = approval.resolution?.signature;
  expect(recorded).toEqual({
    statement: signature.statement,
    credentialId: device.id,
    authenticatorData: expect.stringMatching(/^[\w-]+$/),
    clientDataJSON: expect.stringMatching(/^[\w-]+$/),
    signature: expect.stringMatching(/^[\w-]+$/),
    synced: true,
  });
  const statement = JSON.parse(signature.statement) as Statement;
  expect(statement).toEqual({
    answers: [{ approval: id, contentHash: approval.contentHash, option: "ship", noteHash: hashOf("Goé") }],
    app: clientId,
    issuer: "http://localhost:3000",
    offeredAt: expect.any(Number),
    owner: owner.ownerId,
    type: "countersign-answer",
    version: 1,
  });
  expect(canonicalJson(statement)).toBe(signature.statement);
  // Anyone can verify the signature with node:crypto alone.
  const clientData = Buffer.from(recorded?.clientDataJSON ?? "", "base64url");
  expect(JSON.parse(clientData.toString())).toMatchObject({
    type: "webauthn.get",
    challenge: sha256(signature.statement).toString("base64url"),
    origin: "http://localhost:3000",
  });
  const authenticatorData = Buffer.from(recorded?.authenticatorData ?? "", "base64url");
  expect(authenticatorData.subarray(0, 32)).toEqual(sha256("localhost"));
  const proof = Buffer.from(recorded?.signature ?? "", "base64url");
  const key = createPublicKey(device.publicKey.export({ type: "spki", format: "pem" }) as string);
  expect(verify("sha256", Buffer.concat([authenticatorData, sha256(clientData)]), key, proof)).toBe(true);
  const [, claims = ""] = (await issueReceipt(app, id)).split(".");
  expect(JSON.parse(Buffer.from(claims, "base64url").toString()).resolution).toEqual(approval.resolution);
  const [event] = await db.event.findMany({ where: { subject: id, type: "approval.resolved" } });
  expect(event?.data).toEqual({ by: "owner", kind: "option" });
});

test("offers everything that the statement's hashes cover", async () => {
  const { owner, app, ask } = await signing();
  const id = await ask({
    signedByOwner: true,
    facts: [{ label: "Build", value: "418" }],
    fields: { type: "object", properties: { b: { type: "string" }, a: { type: "integer" } }, required: ["a"] },
    options: [...aQuestion.options, { id: "pay", label: "Pay", fields: true }],
    risk: "high",
    expiresAt: Date.now() + 3_600_000,
  });
  const [question] = await seenBy(owner, [id]);
  const answer = { kind: "option", optionId: "pay", values: { b: "x", a: 3 }, note: "n" } as const;
  const { request, options } = await offerSignature(owner, [question!], answer);
  const { contents, statement, texts } = JSON.parse(request) as SigningRequest;
  expect(request).toBe(canonicalJson({ contents, statement, texts }));
  expect(contents.map((content) => hashOf(canonicalJson(content)))).toEqual([question?.seen]);
  expect(statement.answers).toMatchObject([{ values: { a: 3, b: "x" }, contentHash: question?.seen }]);
  expect(texts).toEqual([{ note: "n" }]);
  expect(options).toMatchObject({
    challenge: sha256(canonicalJson(statement)).toString("base64url"),
    rpId: "localhost",
    userVerification: "required",
    allowCredentials: [{ id: expect.any(String) }],
  });
  const words = await offerSignature(owner, [question!], { kind: "other", otherText: "Not today" });
  const written = JSON.parse(words.request) as SigningRequest;
  expect(written.statement.answers).toMatchObject([{ textHash: hashOf("Not today") }]);
  expect(written.texts).toEqual([{ otherText: "Not today" }]);
  const other = await submitApproval((await anAppWith("approvals:write")).app, aQuestion);
  const foreign = { id: other.id, seen: contentHash(aQuestion) };
  await expect(offerSignature(owner, [foreign], ship)).rejects.toMatchObject({ status: 404 });
  await expect(offerSignature(owner, [{ id, seen: "sha256:0" }], ship)).rejects.toMatchObject({ status: 409 });
  await expect(offerSignature(owner, [question!], { kind: "option", optionId: "no" })).rejects.toMatchObject({
    status: 400,
  });
  await expect(offerSignature(owner, [], ship)).rejects.toMatchObject({ status: 400 });
  expect((await readApproval(owner, id)).status).toBe("pending");
  expect(app.kind).toBe("app");
});

test("signs the checked values of a question's fields", async () => {
  const { owner, device, ask, read, seen } = await signing();
  const id = await ask({
    signedByOwner: true,
    fields: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
    options: [{ id: "pay", label: "Pay", fields: true }],
  });
  const answer = { kind: "option", optionId: "pay", values: { text: "a\nb" } } as const;
  const signature = await signed(owner, device, [id], answer);
  await answerApproval(owner, id, answer, await seen(id), { signature });
  expect((await read(id)).resolution).toMatchObject({
    values: { text: "a\nb" },
    signature: { credentialId: device.id },
  });
});

test("signs a batch with one statement", async () => {
  const { owner, device, ask, read } = await signing();
  const ids = [await ask(), await ask({}), await ask({ signedByOwner: "when-possible" })];
  const several = await seenBy(owner, ids);
  expect(await answerBatch(owner, several, ship)).toMatchObject([
    { id: ids[0], message: "Sign this answer with your passkey." },
    { id: ids[1], won: true },
    { id: ids[2], message: "Sign this answer with your passkey." },
  ]);
  const rest = [several[2]!, several[0]!];
  const signature = await signed(
    owner,
    device,
    rest.map(({ id }) => id),
    ship,
  );
  await expect(answerBatch(owner, rest.toReversed(), ship, signature)).rejects.toMatchObject(invalid);
  expect(await answerBatch(owner, rest, ship, signature)).toMatchObject([{ won: true }, { won: true }]);
  const statement = JSON.parse(signature.statement) as Statement;
  expect(statement.answers.map(({ approval }) => approval)).toEqual([ids[2], ids[0]]);
  for (const id of [ids[0]!, ids[2]!])
    expect((await read(id)).resolution?.signature?.statement).toBe(signature.statement);
});

test("holds a signed answer and sends it with its signature", async () => {
  const { owner, device, ask, read, seen } = await signing();
  await changeSettings(owner, { undoSeconds: 30 });
  const [id, other] = [await ask(), await ask()];
  const hold = async (of: string) =>
    answerApproval(owner, of, ship, await seen(of), { signature: await signed(owner, device, [of], ship) });
  expect((await hold(id)).held?.answer).toEqual(ship);
  expect(await undoAnswers(owner, [id])).toEqual({ undone: [id], sent: [] });
  await expect(answerApproval(owner, id, ship, await seen(id))).rejects.toMatchObject(unsigned);
  await hold(id);
  await hold(other);
  await sendAnswersNow(owner, [id]);
  await pool().query("UPDATE approval_triage SET commit_at = now() - interval '1 second' WHERE approval_id = $1", [
    other,
  ]);
  await sendDueAnswers();
  for (const it of [id, other])
    expect((await read(it)).resolution).toMatchObject({ optionId: "ship", signature: { credentialId: device.id } });
});

test("uses and withdraws signed answers", async () => {
  const { owner, app, device, ask, seen } = await signing();
  const answer = async (id: string) =>
    answerApproval(owner, id, ship, await seen(id), { signature: await signed(owner, device, [id], ship) });
  const [used, withdrawn] = [
    await ask({ signedByOwner: true, once: true }),
    await ask({ signedByOwner: true, once: true }),
  ];
  await answer(used);
  await answer(withdrawn);
  const { receipt } = await recordUse(app, { id: used, contentHash: await seen(used), key: "k", values: undefined });
  const claims = JSON.parse(Buffer.from(receipt.split(".")[1] ?? "", "base64url").toString());
  expect((claims.resolution as Resolution).signature?.credentialId).toBe(device.id);
  await withdrawAnswer(owner, withdrawn);
  const use = recordUse(app, { id: withdrawn, contentHash: await seen(withdrawn), key: "k", values: undefined });
  await expect(use).rejects.toMatchObject({ status: 409 });
});

test("drops a held answer once the owner requires signatures", async () => {
  const { owner, ask, seen, read } = await signing();
  await changeSettings(owner, { undoSeconds: 30 });
  const id = await ask({});
  expect(await answerApproval(owner, id, ship, await seen(id))).toMatchObject({ held: {} });
  await changeSettings(owner, { signAnswers: true });
  await sendAnswersNow(owner, [id]);
  expect((await read(id)).status).toBe("pending");
  expect((await readApproval(owner, id)).triage).toMatchObject({ seen: false });
  expect((await readApproval(owner, id)).triage.held).toBeUndefined();
});

test("rejects a required signature while the owner has no passkey", async () => {
  const { owner, app } = await anAppWith("approvals:write", "approvals:read");
  const submit = (signedByOwner: true | "when-possible") => submitApproval(app, { ...aQuestion, signedByOwner });
  await expect(submit(true)).rejects.toMatchObject({ status: 422, details: [{ path: "signedByOwner" }] });
  const { id } = await submit("when-possible");
  const { sign, contentHash: seen } = await readApproval(owner, id);
  expect(sign).toBeUndefined();
  expect(await answerApproval(owner, id, ship, seen)).toMatchObject({ won: true });
});

test.each(["everything", "the app"])("requires signatures for %s only with a passkey", async (what) => {
  const { owner, clientId, app } = await anAppWith("approvals:write", "approvals:resolve");
  await changeSettings(owner, { undoSeconds: 0 });
  const choose = (on: boolean) =>
    what === "everything"
      ? changeSettings(owner, { signAnswers: on })
      : updateAppPreferences(owner, clientId, { signAnswers: on });
  await expect(choose(true)).rejects.toMatchObject({ status: 409 });
  const device = await aPasskeyFor(owner);
  await choose(true);
  const { id } = await submitApproval(app, aQuestion);
  const answer = async () => answerApproval(owner, id, ship, (await readApproval(owner, id)).contentHash);
  expect(await readApproval(owner, id)).toMatchObject({ sign: "required" });
  await expect(answer()).rejects.toMatchObject(unsigned);
  await removePasskey(owner, device.id);
  expect(await readApproval(owner, id)).toMatchObject({ sign: "impossible" });
  await expect(answer()).rejects.toMatchObject(unsigned);
  await expect(signed(owner, device, [id], ship)).rejects.toMatchObject({ status: 409 });
  await choose(false);
  expect(await answer()).toMatchObject({ won: true });
  expect((await readApproval(owner, id)).sign).toBeUndefined();
  // An app's own answer is not the owner's, so it needs no signature.
  await aPasskeyFor(owner);
  await choose(true);
  const own = await submitApproval(app, aQuestion);
  await resolveApproval(app, own.id, ship);
});

test("requires a signature when possible once the owner has a passkey", async () => {
  const { owner, app } = await anAppWith("approvals:write");
  await changeSettings(owner, { undoSeconds: 0 });
  const { id } = await submitApproval(app, { ...aQuestion, signedByOwner: "when-possible" });
  const device = await aPasskeyFor(owner);
  const { contentHash: seen, sign } = await readApproval(owner, id);
  expect(sign).toBe("required");
  await expect(answerApproval(owner, id, ship, seen)).rejects.toMatchObject(unsigned);
  await removePasskey(owner, device.id);
  expect(await answerApproval(owner, id, ship, seen)).toMatchObject({ won: true });
});

test("keeps a signed question of an owner who removed every passkey unanswered", async () => {
  const { owner, device, ask, seen } = await signing();
  const id = await ask();
  await removePasskey(owner, device.id);
  expect(await readApproval(owner, id)).toMatchObject({ sign: "impossible" });
  await expect(answerApproval(owner, id, ship, await seen(id))).rejects.toMatchObject(unsigned);
  const next = await aPasskeyFor(owner, "Next");
  const signature = await signed(owner, next, [id], ship);
  expect(await answerApproval(owner, id, ship, await seen(id), { signature })).toMatchObject({ won: true });
});

test("accepts a voluntary signature", async () => {
  const { owner, device, ask, seen, read } = await signing();
  const id = await ask({ risk: "high" });
  const signature = await signed(owner, device, [id], ship);
  // The signature is also the second step that a high risk requires.
  expect(await answerApproval(owner, id, ship, await seen(id), { signature })).toMatchObject({ won: true });
  expect((await read(id)).resolution?.signature?.synced).toBe(false);
});
