import { generateKeyPairSync, sign } from "node:crypto";
import { describe, expect, test } from "vitest";
import { resolveApproval, submitApproval } from "@/lib/approvals/approvals";
import { contentHash } from "@/lib/approvals/content-hash";
import { NewApproval } from "@/lib/approvals/schema";
import { anAppWith } from "@/lib/testing/factories";
import { type Check, hasPython, inClient, inPython, inTypeScript } from "@/lib/testing/receipt-verifiers";
import { aQuestion } from "@/lib/testing/sample-question";
import { publicKeys } from "./receipt-keys";
import { issueReceipt } from "./receipts";

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
const decode = (part = "") => JSON.parse(Buffer.from(part, "base64url").toString());

/**
 * Returns checks in which one expected value is missing or isn't text, as after a misspelled name.
 */
const leavingOut = (good: Check) =>
  Object.fromEntries(
    (["issuer", "clientId", "owner", "approvalId"] as const).flatMap((name) =>
      [undefined, null, 7].map((value) => {
        const wanted = { ...good.wanted, [name]: value } as Check["wanted"];
        return [`${name} is ${value}`, { ...good, wanted }];
      }),
    ),
  );

/**
 * Returns checks of a receipt from an old version of the service, whose receipts don't name owners.
 */
function fromBeforeOwners({ wanted }: Check, { owner: _, ...claims }: Record<string, unknown>): Record<string, Check> {
  const { publicKey, privateKey } = generateKeyPairSync("ed25519");
  const said = `${encode({ alg: "EdDSA", typ: "countersign-receipt+jwt", kid: "old" })}.${encode(claims)}`;
  const receipt = `${said}.${sign(null, Buffer.from(said), privateKey).toString("base64url")}`;
  const keys = [{ ...publicKey.export({ format: "jwk" }), kid: "old" }];
  return {
    "one without an owner": { receipt, keys, wanted },
    "one without an owner, for no owner": { receipt, keys, wanted: { ...wanted, owner: undefined as never } },
  };
}

describe.each([
  ["TypeScript", inTypeScript, true],
  ["Python", inPython, hasPython()],
  ["the client", inClient, true],
] as const)("verifier in %s", (_language, check, there) => {
  test.skipIf(!there)("accepts only a receipt in which the owner approves the given question", async () => {
    const { app, owner, clientId } = await anAppWith("approvals:write", "approvals:read", "approvals:resolve");
    const ask = async () => (await submitApproval(app, aQuestion)).id;
    const [mine, other, own, rules] = [await ask(), await ask(), await ask(), await ask()];
    const ship = { kind: "option", optionId: "ship" } as const;
    await resolveApproval(owner, mine, ship);
    await resolveApproval(owner, other, ship);
    await resolveApproval(app, own, ship);
    await resolveApproval(owner, rules, ship, { simulated: true });
    const keys = await publicKeys();
    const receipt = await issueReceipt(app, mine);
    const hash = contentHash(aQuestion);
    const wanted = {
      issuer: "http://localhost:3000",
      clientId,
      owner: owner.ownerId,
      approvalId: mine,
      contentHash: hash,
    };
    const good: Check = { receipt, keys, wanted };

    const [head, body, signature] = receipt.split(".");
    const attacker = generateKeyPairSync("ed25519");
    const signedBy = (header: object, claims: object) => {
      const said = `${encode(header)}.${encode(claims)}`;
      return `${said}.${sign(null, Buffer.from(said), attacker.privateKey).toString("base64url")}`;
    };
    const claims = decode(body);
    const forged: Record<string, Check> = {
      "another key under our kid": { ...good, receipt: signedBy(decode(head), claims) },
      "a key of its own": { ...good, receipt: signedBy({ ...decode(head), kid: "mine" }, claims) },
      "its own key in the header": {
        ...good,
        receipt: signedBy({ ...decode(head), jwk: attacker.publicKey.export({ format: "jwk" }) }, claims),
      },
      "alg none": { ...good, receipt: `${encode({ ...decode(head), alg: "none" })}.${body}.` },
      "alg HS256": { ...good, receipt: `${encode({ ...decode(head), alg: "HS256" })}.${body}.${signature}` },
      "another typ": { ...good, receipt: `${encode({ ...decode(head), typ: "JWT" })}.${body}.${signature}` },
      "no signature": { ...good, receipt: `${head}.${body}.` },
      "an altered resolution": {
        ...good,
        receipt: `${head}.${encode({ ...claims, resolution: { ...claims.resolution, optionId: "wait" } })}.${signature}`,
      },
      "another approval's": { ...good, receipt: await issueReceipt(app, other) },
      "the app's own answer": {
        receipt: await issueReceipt(app, own),
        keys,
        wanted: { ...wanted, approvalId: own },
      },
      "another action": {
        ...good,
        wanted: { ...wanted, contentHash: contentHash({ ...aQuestion, question: "Delete everything?" }) },
      },
      "another app": { ...good, wanted: { ...wanted, clientId: `${clientId}x` } },
      "another owner": { ...good, wanted: { ...wanted, owner: "own_another" } },
      "another service": { ...good, wanted: { ...wanted, issuer: "https://evil.example" } },
      "an answer by rules": {
        receipt: await issueReceipt(app, rules),
        keys,
        wanted: { ...wanted, approvalId: rules },
      },
      ...leavingOut(good),
      ...fromBeforeOwners(good, claims),
      "not a receipt": { ...good, receipt: "x" },
    };
    const names = Object.keys(forged);
    const [verdict, ...verdicts] = await check([good, ...Object.values(forged)]);
    expect(verdict).toEqual({ ok: claims.resolution });
    expect(verdicts.flatMap((it, at) => ("refused" in it ? [] : [names[at]]))).toEqual([]);
    expect(verdicts).toHaveLength(names.length);
  });

  test.skipIf(!there)("accepts only a receipt with exactly the expected fields and values", async () => {
    const { app, owner, clientId } = await anAppWith("approvals:write", "approvals:read");
    const invoice = NewApproval.parse({
      question: "Pay the invoice?",
      fields: {
        type: "object",
        properties: {
          when: { type: "string", format: "date", default: "2026-12-01" },
          amount: { type: "object", format: "money", currency: "EUR", default: { amount: "86.40", currency: "EUR" } },
          rate: { type: "number", minimum: 0.000001, maximum: 1e15, default: 0.5 },
          lines: { type: "object", format: "items", items: [{ id: "rent", label: "Rent" }] },
        },
      },
      options: [{ id: "pay", label: "Pay", fields: true }],
    });
    const { id } = await submitApproval(app, invoice);
    const values = {
      when: "2026-12-02",
      amount: { amount: "80.00", currency: "EUR" },
      rate: 1.5,
      lines: { rent: "approve" },
    } as const;
    await resolveApproval(owner, id, { kind: "option", optionId: "pay", values });
    const hash = contentHash(invoice);
    const wanted = {
      ...{ issuer: "http://localhost:3000", clientId, owner: owner.ownerId, approvalId: id, contentHash: hash },
      // Another order of the names makes no difference.
      values: { ...values, when: values.when },
    };
    const good: Check = { receipt: await issueReceipt(app, id), keys: await publicKeys(), wanted };
    const withValues = (more: object) => ({ ...good, wanted: { ...wanted, values: { ...values, ...more } } });
    const withContent = (change: (copy: typeof invoice) => void) => {
      const copy = structuredClone(invoice);
      change(copy);
      return { ...good, wanted: { ...wanted, contentHash: contentHash(copy) } };
    };
    const [head, body, signature] = good.receipt.split(".");
    const claims = decode(body);
    const altered = { ...claims, resolution: { ...claims.resolution, values: { ...values, rate: 2 } } };
    const { values: _, ...without } = wanted;
    const refused: Record<string, Check> = {
      "another amount": withValues({ amount: { amount: "80.01", currency: "EUR" } }),
      "the proposed amount": withValues({ amount: { amount: "86.40", currency: "EUR" } }),
      "another currency": withValues({ amount: { amount: "80.00", currency: "USD" } }),
      "another date": withValues({ when: "2026-12-01" }),
      "another number": withValues({ rate: 1.6 }),
      "another verdict": withValues({ lines: { rent: "reject" } }),
      "one more value": withValues({ express: true }),
      "no values": { ...good, wanted: without },
      "another schema": withContent((it) => void delete it.fields?.properties.when),
      "another proposed amount": withContent((it) => {
        Object.assign(it.fields?.properties.amount ?? {}, { default: { amount: "86.41", currency: "EUR" } });
      }),
      "another currency in the schema": withContent((it) => {
        Object.assign(it.fields?.properties.amount ?? {}, { currency: "USD" });
      }),
      "an altered value": { ...good, receipt: `${head}.${encode(altered)}.${signature}` },
    };
    const names = Object.keys(refused);
    const [verdict, ...verdicts] = await check([good, ...Object.values(refused)]);
    expect(verdict).toEqual({ ok: claims.resolution });
    expect(verdicts.flatMap((it, at) => ("refused" in it ? [] : [names[at]]))).toEqual([]);
    expect(verdicts).toHaveLength(names.length);
  });
});
