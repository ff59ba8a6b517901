import { expect, test } from "vitest";
import { pool } from "@/lib/database/db";
import { askForPasskey, signInWithPasskey } from "@/lib/owners/passkeys/passkey-sign-in";
import { changeSettings } from "@/lib/owners/settings";
import { recordPassedDeadlines } from "@/lib/testing/chores";
import { anAppWith } from "@/lib/testing/factories";
import type { Twist } from "@/lib/testing/passkey-authenticator";
import { aQuestion } from "@/lib/testing/sample-question";
import { aPasskeyFor, seenBy, signed } from "@/lib/testing/sign-answers";
import { answerApproval, answerBatch } from "../answer";
import { resolveApproval, submitApproval, tryResolve } from "../approvals";
import { holdAnswer, sendAnswersNow } from "../held-answers";
import { readApproval } from "../inbox-queries";
import type { Answer, NewApproval, SignedAnswer } from "../schema";
import { answerSimulated, Rules, type Simulated, simulate, waitingFor } from "../simulated-owner";
import { addToApproval } from "../thread/additions";
import type { SentSignature } from "./check-signature";
import { offerSignature } from "./offer-signature";
import type { AnswerSignature } from "./schema";

/*
 * Each attack succeeds if the question needs no signature, and fails if it does.
 */

const ship = { kind: "option", optionId: "ship" } as const;
const wait = { kind: "option", optionId: "wait" } as const;
const invalid = { status: 400, details: [{ path: "signature" }] };
const unsigned = { status: 409, details: [{ reason: "unsigned" }] };

async function signing() {
  const made = await anAppWith("approvals:write", "approvals:read", "approvals:resolve");
  await changeSettings(made.owner, { undoSeconds: 0 });
  const device = await aPasskeyFor(made.owner);
  const ask = async (more: Partial<NewApproval> = {}) =>
    (await submitApproval(made.app, { ...aQuestion, signedByOwner: true, ...more })).id;
  const status = async (id: string) => (await readApproval(made.owner, id)).status;
  const send = async (id: string, answer: Answer, signature: SentSignature) => {
    const [{ seen } = { seen: "" }] = await seenBy(made.owner, [id]);
    return answerApproval(made.owner, id, answer, seen, { signature });
  };
  return { ...made, device, ask, status, send };
}

/** Answers through a way that carries no signature. Throws if the answer is rejected. */
type Way = (it: Awaited<ReturnType<typeof signing>>, id: string) => Promise<unknown>;
const ways: [name: string, way: Way][] = [
  ["the owner's page", async ({ owner }, id) => answerApproval(owner, id, ship, (await seenBy(owner, [id]))[0]!.seen)],
  [
    "a confirmed answer",
    async ({ owner }, id) => answerApproval(owner, id, ship, (await seenBy(owner, [id]))[0]!.seen, { confirmed: true }),
  ],
  [
    "the owner's own words",
    async ({ owner }, id) =>
      answerApproval(owner, id, { kind: "other", otherText: "Yes" }, (await seenBy(owner, [id]))[0]!.seen),
  ],
  [
    "a batch",
    async ({ owner }, id) => {
      const [outcome] = await answerBatch(owner, await seenBy(owner, [id]), ship);
      if (outcome && "message" in outcome) throw new Error(outcome.message);
    },
  ],
  [
    "a held answer that is sent immediately",
    async ({ owner }, id) => {
      const [{ seen } = { seen: "" }] = await seenBy(owner, [id]);
      const { held } = await holdAnswer(owner, { id, answer: ship, seen, seconds: 30, confirmed: true });
      expect(held).toBeDefined();
      await sendAnswersNow(owner, [id]);
    },
  ],
  [
    "the statement that records answers",
    async ({ owner }, id) => tryResolve(owner, id, ship, { contentHash: (await seenBy(owner, [id]))[0]!.seen }),
  ],
  [
    "simulation rules",
    async ({ owner }, id) => {
      const asked = (await waitingFor(owner, [])).find((it) => it.id === id);
      const { rules } = Rules.parse({ rules: [{ answer: { option: "ship" } }] });
      await answerSimulated(owner, asked!, simulate(rules, asked!) as Simulated);
    },
  ],
  [
    "a row that an earlier version holds",
    async ({ owner }, id) => {
      await pool().query(
        `INSERT INTO approval_triage (approval_id, owner_id, held_answer, commit_at, held_hash)
         SELECT id, owner_id, $2::json, now() + interval '1 minute', content_hash FROM approval WHERE id = $1`,
        [id, JSON.stringify(ship)],
      );
      await sendAnswersNow(owner, [id]);
      if ((await readApproval(owner, id)).status === "pending") throw new Error("dropped");
    },
  ],
];

test.each(ways)("answers only questions that need no signature through %s", async (_, way) => {
  const it = await signing();
  const open = await it.ask({ signedByOwner: undefined });
  await way(it, open);
  expect(await it.status(open)).toBe("resolved");
  const [required, possible] = [await it.ask(), await it.ask({ signedByOwner: "when-possible" })];
  await changeSettings(it.owner, { signAnswers: true });
  const chosen = await it.ask({ signedByOwner: undefined });
  for (const id of [required, possible, chosen]) {
    await expect(way(it, id)).rejects.toThrow(/^(Sign this answer with your passkey\.|dropped)$/);
    expect(await it.status(id)).toBe("pending");
  }
});

test("rejects an unsigned answer by an earlier version of the service", async () => {
  const { ask, status } = await signing();
  const update = (id: string) =>
    pool().query(
      `UPDATE approval SET status = 'resolved', resolved_at = now(),
         resolution = '{"kind":"option","optionId":"ship","resolvedBy":"owner","resolvedAt":1}' WHERE id = $1`,
      [id],
    );
  const [open, id] = [await ask({ signedByOwner: undefined }), await ask()];
  await update(open);
  await expect(update(id)).rejects.toMatchObject({ constraint: "required_means_signed" });
  expect([await status(open), await status(id)]).toEqual(["resolved", "pending"]);
});

test("rejects an app's answer and a default for a question that the owner must sign", async () => {
  const { app, ask, status } = await signing();
  const id = await ask();
  await expect(resolveApproval(app, id, ship)).rejects.toMatchObject({ status: 403 });
  const forged = { ...ship, signature: { clientDataJSON: "e30" } as AnswerSignature } satisfies SignedAnswer;
  await expect(resolveApproval(app, id, forged)).rejects.toMatchObject({ status: 403 });
  const expiresAt = Date.now() + 3_600_000;
  await expect(ask({ expiresAt, defaultOptionId: "ship" })).rejects.toMatchObject({
    constraint: "owner_only_means_owner",
  });
  const possible = ask({ signedByOwner: "when-possible", expiresAt, defaultOptionId: "ship" });
  await expect(possible).rejects.toMatchObject({ constraint: "signed_means_owner" });
  const late = await ask({ expiresAt });
  const client = await pool().connect();
  await client.query(
    `BEGIN; SET LOCAL session_replication_role = replica;
     UPDATE approval SET expires_at = now() - interval '1 minute' WHERE id = '${late}'; COMMIT`,
  );
  client.release();
  await recordPassedDeadlines();
  expect([await status(id), await status(late)]).toEqual(["pending", "pending"]);
});

test.each<[what: string, twist: Twist]>([
  ["from another origin", { origin: "https://evil.example" }],
  ["for another relying party", { rpId: "evil.example" }],
  ["without user verification", { verified: false }],
  ["without the owner's presence", { present: false }],
  ["from an embedded page", { crossOrigin: true }],
  ["with a counter that goes back", { count: 1 }],
])("rejects a signature %s", async (_, twist) => {
  const { owner, device, ask, send, status } = await signing();
  const id = await ask();
  const signature = await signed(owner, device, [id], ship, twist);
  await expect(send(id, ship, signature)).rejects.toMatchObject(invalid);
  expect(await status(id)).toBe("pending");
});

test("rejects a signature for another question, answer, value or note", async () => {
  const { owner, device, ask, send, status } = await signing();
  const fields: NewApproval["fields"] = {
    type: "object",
    properties: { amount: { type: "integer" } },
    required: ["amount"],
  };
  const options = [...aQuestion.options, { id: "pay", label: "Pay", fields: true }];
  const [id, other] = [await ask({ fields, options }), await ask({ fields, options })];
  const pay = (amount: number) => ({ kind: "option", optionId: "pay", values: { amount } }) as const;
  for (const [given, sent, of] of [
    [ship, ship, other],
    [ship, wait, id],
    [ship, { ...ship, note: "and delete the rest" }, id],
    [{ ...ship, note: "a" }, { ...ship, note: "b" }, id],
    [{ ...ship, note: "a" }, ship, id],
    [pay(1), pay(2), id],
    [ship, { kind: "other", otherText: "ship" }, id],
    [{ kind: "other", otherText: "ship" }, { kind: "other", otherText: "ship it" }, id],
  ] as [Answer, Answer, string][])
    await expect(send(of, sent, await signed(owner, device, [id], given))).rejects.toMatchObject(invalid);
  expect([await status(id), await status(other)]).toEqual(["pending", "pending"]);
});

test("rejects a used, expired or altered offer", async () => {
  const { owner, device, ask, send, status } = await signing();
  const [id, other] = [await ask(), await ask()];
  const signature = await signed(owner, device, [id], ship);
  for (const statement of [
    `${signature.statement} `,
    signature.statement.replace('"version":1', '"version":2'),
    signature.statement.replace(/"offeredAt":\d+/, '"offeredAt":1'),
    signature.statement.replace(id, other),
    "",
    "null",
    "{",
  ])
    await expect(send(id, ship, { ...signature, statement })).rejects.toMatchObject(invalid);
  for (const response of [{}, { id: 7 }, { id: device.id }, { ...signature.response, response: null }])
    await expect(send(id, ship, { ...signature, response })).rejects.toMatchObject(invalid);
  await pool().query("UPDATE passkey_challenge SET expires_at = now() - interval '1 second'");
  await expect(send(id, ship, signature)).rejects.toMatchObject(invalid);
  // A signature counts once, even if its question is pending again.
  await changeSettings(owner, { undoSeconds: 30 });
  const next = await signed(owner, device, [id], ship);
  await send(id, ship, next);
  await expect(send(id, ship, next)).rejects.toMatchObject(invalid);
  expect(await status(id)).toBe("pending");
});

test("rejects a signature of a batch for a part of it", async () => {
  const { owner, device, ask, send } = await signing();
  const ids = [await ask(), await ask()] as const;
  const signature = await signed(owner, device, [...ids], ship);
  await expect(send(ids[0], ship, signature)).rejects.toMatchObject(invalid);
  const [one] = await seenBy(owner, [ids[0]]);
  await expect(answerBatch(owner, [one!], ship, signature)).rejects.toMatchObject(invalid);
});

test("rejects the passkey of another owner and of a sign-in", async () => {
  const [it, thief] = [await signing(), await signing()];
  const id = await it.ask();
  const signature = await signed(it.owner, it.device, [id], ship);
  const { options } = await offerSignature(it.owner, await seenBy(it.owner, [id]), ship);
  const stolen = JSON.parse(thief.device.get(options));
  await expect(it.send(id, ship, { ...signature, response: stolen })).rejects.toMatchObject(invalid);
  // The other owner's passkey with the ID of the owner's passkey.
  const renamed = { ...stolen, id: it.device.id, rawId: it.device.id };
  await expect(it.send(id, ship, { ...signature, response: renamed })).rejects.toMatchObject(invalid);
  const response = JSON.parse(it.device.get(await askForPasskey({ address: "192.0.2.9" })));
  await expect(it.send(id, ship, { ...signature, response })).rejects.toMatchObject(invalid);
  expect(await it.status(id)).toBe("pending");
});

test("rejects the signature of an answer as a sign-in", async () => {
  const { owner, device, ask } = await signing();
  const { response } = await signed(owner, device, [await ask()], ship);
  const signIn = signInWithPasskey(JSON.stringify(response), { address: "192.0.2.9" });
  await expect(signIn).rejects.toMatchObject({ status: 401 });
});

test("rejects a signature after the question changed", async () => {
  const { owner, app, device, ask, send, status } = await signing();
  const id = await ask();
  const signature = await signed(owner, device, [id], ship);
  await addToApproval({ ...app, needs: "approvals:write" }, id, { text: "And the database" });
  await expect(send(id, ship, signature)).rejects.toMatchObject(invalid);
  const [{ seen } = { seen: "" }] = await seenBy(owner, [id]);
  await expect(answerApproval(owner, id, ship, seen)).rejects.toMatchObject(unsigned);
  expect(await status(id)).toBe("pending");
  await send(id, ship, await signed(owner, device, [id], ship));
  expect(await status(id)).toBe("resolved");
});

test("offers no signature for content that was changed in the database", async () => {
  const { owner, ask } = await signing();
  const id = await ask();
  const questions = await seenBy(owner, [id]);
  const client = await pool().connect();
  await client.query(
    `BEGIN; SET LOCAL session_replication_role = replica;
     UPDATE approval SET question = 'Ship build 419 to production?' WHERE id = '${id}'; COMMIT`,
  );
  client.release();
  await expect(offerSignature(owner, questions, ship)).rejects.toMatchObject({ status: 409 });
});
