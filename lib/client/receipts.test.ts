import { generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { describe, expect, it } from "vitest";
import { contentHash } from "./content-hash";
import { VerificationError } from "./errors";
import { type ReceiptChecks, verifyReceipt } from "./receipts";

const service = generateKeyPairSync("ed25519");
const jwkOf = (key: KeyObject, kid: string) => ({ ...key.export({ format: "jwk" }), kid, alg: "EdDSA", use: "sig" });
const jwks = { keys: [jwkOf(generateKeyPairSync("ed25519").publicKey, "old"), jwkOf(service.publicKey, "now")] };
const content = { question: "Ship?", options: [{ id: "yes", label: "Yes" }] };
const resolution = { kind: "option", optionId: "yes", resolvedBy: "owner", resolvedAt: 1795000000000 } as const;
const claims = {
  iss: "https://yes.example.com",
  aud: "app_a",
  owner: "own_a",
  sub: "apr_a",
  iat: 1795000000,
  resolution,
  contentHash: await contentHash(content),
};
const checks: ReceiptChecks = {
  issuer: "https://yes.example.com",
  audience: "app_a",
  owner: "own_a",
  approvalId: "apr_a",
  content,
  jwks,
};

const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
function receipt(payload: object = claims, header: object = {}, key = service.privateKey) {
  const signed = `${part({ alg: "EdDSA", kid: "now", typ: "countersign-receipt+jwt", ...header })}.${part(payload)}`;
  return `${signed}.${sign(null, Buffer.from(signed), key).toString("base64url")}`;
}

describe("receipts", () => {
  it("returns a valid receipt's claims and the owner's choice", async () => {
    const read = await verifyReceipt(receipt(), checks);
    expect(read).toMatchObject(claims);
    expect([read.yes("yes"), read.yes("no")]).toEqual([true, false]);
  });

  it("accepts only exactly the values that the owner allowed", async () => {
    const values = { amount: { amount: "86.40", currency: "EUR" }, when: "2026-12-01", retries: 1 };
    const read = await verifyReceipt(receipt({ ...claims, resolution: { ...resolution, values } }), checks);
    const { amount, ...others } = values;
    expect([read.yes("yes"), read.yes("yes", { ...others, amount })]).toEqual([true, true]);
    const refused: Record<string, unknown>[] = [
      { ...values, amount: { ...amount, amount: "86.41" } },
      { ...values, amount: { ...amount, currency: "USD" } },
      { ...values, retries: "1" },
      { ...values, express: true },
      others,
      {},
    ];
    expect(refused.map((given) => read.yes("yes", given))).toEqual(refused.map(() => false));
    expect(read.yes("no", values)).toBe(false);
    expect((await verifyReceipt(receipt(), checks)).yes("yes", { when: "2026-12-01" })).toBe(false);
  });

  it("rejects a receipt for other fields", async () => {
    const when = { type: "string", format: "date", default: "2026-12-01" };
    const asked = (field: object) => ({ ...content, fields: { type: "object", properties: { when: field } } });
    const signed = receipt({ ...claims, contentHash: await contentHash(asked(when)) });
    expect((await verifyReceipt(signed, { ...checks, content: asked({ ...when }) })).yes("yes")).toBe(true);
    for (const other of [{ ...when, default: "2026-12-02" }, { type: "string" }, { ...when, title: "Pay on" }])
      await expect(verifyReceipt(signed, { ...checks, content: asked(other) })).rejects.toThrow("contentHash");
    await expect(verifyReceipt(signed, { ...checks, content })).rejects.toThrow("contentHash");
  });

  it("reports no consent in a receipt for the app's own answer", async () => {
    const read = await verifyReceipt(receipt({ ...claims, resolution: { ...resolution, resolvedBy: "api" } }), checks);
    expect(read.yes("yes")).toBe(false);
  });

  it("rejects a simulated receipt by default", async () => {
    const simulated = receipt({ ...claims, simulated: true });
    await expect(verifyReceipt(simulated, checks)).rejects.toThrow("simulated");
    expect((await verifyReceipt(simulated, { ...checks, allowSimulated: true })).yes("yes")).toBe(true);
  });

  it("accepts a receipt with an owner's note that starts with “Simulated:”", async () => {
    const noted = receipt({ ...claims, resolution: { ...resolution, note: "Simulated: not at all" } });
    expect((await verifyReceipt(noted, checks)).yes("yes")).toBe(true);
  });

  it("rejects a receipt without an owner by default", async () => {
    const { owner: _, ...before } = claims;
    const old = receipt(before);
    await expect(verifyReceipt(old, checks)).rejects.toThrow("owner does not match");
    const accepting = { ...checks, acceptWithoutOwner: true };
    expect((await verifyReceipt(old, accepting)).yes("yes")).toBe(true);
    await expect(verifyReceipt(receipt({ ...claims, owner: "own_b" }), accepting)).rejects.toThrow(
      "owner does not match",
    );
    const simulated = receipt({ ...before, resolution: { ...resolution, note: "Simulated: rule 2" } });
    await expect(verifyReceipt(simulated, accepting)).rejects.toThrow("simulated");
  });

  it.each([
    ...["issuer", "audience", "owner", "approvalId", "contentHash"].flatMap((name) => [
      [{ [name]: undefined }, `The receipt check "${name}" must be a string`],
      [{ [name]: 7 }, `The receipt check "${name}" must be a string`],
    ]),
    [{ content: null }, 'The receipt check "content" must be an object'],
    [{ approvalID: "apr_b" }, 'The receipt check "approvalID" does not exist'],
    [{ receivedAt: new Date() }, 'The receipt check "receivedAt" must be a number'],
    [{ acceptWithoutOwner: "no" }, 'The receipt check "acceptWithoutOwner" must be a boolean'],
  ] as [object, string][])("rejects the invalid checks %j", async (wrong, words) => {
    await expect(verifyReceipt(receipt(), { ...checks, ...wrong } as ReceiptChecks)).rejects.toThrow(words);
  });

  it.each(["issuer", "audience", "owner"] as const)("requires a check of the %s", async (name) => {
    const { [name]: _, ...rest } = checks;
    await expect(verifyReceipt(receipt(), rest as ReceiptChecks)).rejects.toThrow(TypeError);
  });

  it("requires a check of the content or the approval ID", async () => {
    const { approvalId: _, content: __, ...rest } = checks;
    await expect(verifyReceipt(receipt(), rest as ReceiptChecks)).rejects.toThrow("Pass at least one of");
  });

  it("fetches the service's public keys if the caller passes no keys", async () => {
    const asked: string[] = [];
    const fetch = (async (url: URL) => {
      asked.push(String(url));
      return Response.json(jwks);
    }) as unknown as typeof globalThis.fetch;
    const { jwks: _, ...rest } = checks;
    expect((await verifyReceipt(receipt(), { ...rest, fetch })).sub).toBe("apr_a");
    expect(asked).toEqual(["https://yes.example.com/.well-known/jwks.json"]);
  });
});

describe("receipt keys that end", () => {
  const now = claims.iat;
  const jwk = jwkOf(service.publicKey, "now");
  const revoked = { revoked_at: now + 60, reason: "compromised" };
  const under = (jwks: object, more: object = {}) =>
    verifyReceipt(receipt(), { ...checks, jwks, ...more } as ReceiptChecks).then(
      () => "accepted",
      (error: unknown) => (error instanceof VerificationError ? error.message : Promise.reject(error)),
    );
  const published = { keys: [], revoked_keys: [{ ...jwk, revoked }] };

  it.each([
    ["a revoked key", published],
    ["a revoked key that is also trusted", { ...published, keys: [jwk] }],
    ["a revoked key among the trusted keys", { keys: [{ ...jwk, revoked }] }],
  ])("rejects a receipt with %s, even with an earlier time", async (_, jwks) => {
    const since = new Date(revoked.revoked_at * 1000).toISOString();
    const message = `The service revoked the receipt's key, because others may have had the key since ${since}. Get the receipt from the service again`;
    expect(await under(jwks)).toBe(message);
    expect(await under(jwks, { receivedAt: (now + 60) * 1000 })).toBe(message);
    expect(await under(jwks, { receivedAt: (now + 60) * 1000 - 1 })).toBe("accepted");
  });

  it.each([undefined, null, "soon", {}])("rejects every receipt of a key revoked at %j", async (revoked_at) => {
    const jwks = { keys: [], revoked_keys: [{ ...jwk, revoked: { revoked_at } }] };
    expect(await under(jwks, { receivedAt: (now + 1) * 1000 })).toContain("others may have had the key. Get");
  });

  it("rejects an answer after the end of its key", async () => {
    expect(await under({ keys: [{ ...jwk, exp: now }] })).toBe("accepted");
    expect(await under({ keys: [{ ...jwk, exp: now - 1 }] })).toContain("later than the end of its key at 2026-");
    const timeless = receipt({ ...claims, iat: undefined });
    await expect(verifyReceipt(timeless, { ...checks, jwks: { keys: [{ ...jwk, exp: now }] } })).rejects.toThrow(
      "later than the end of its key",
    );
  });

  it("accepts an answer from before its key, because receipts are signed when they are read", async () => {
    expect(await under({ keys: [{ ...jwk, nbf: now + 100 }] }, { receivedAt: (now + 200) * 1000 })).toBe("accepted");
  });

  it("rejects a receipt that is older than its key", async () => {
    const future = { keys: [{ ...jwk, nbf: Math.floor(Date.now() / 1000) + 86_400 }] };
    expect(await under(future)).toContain("later than this computer's time");
    const keys = { keys: [{ ...jwk, nbf: now + 1000 }] };
    expect(await under(keys, { receivedAt: (now + 600) * 1000 })).toContain("later than receivedAt");
    expect(await under(keys, { receivedAt: (now + 701) * 1000 })).toBe("accepted");
  });

  it("rejects an answer that is later than receivedAt", async () => {
    expect(await under(jwks, { receivedAt: (now - 301) * 1000 })).toBe("The receipt's answer is later than receivedAt");
    expect(await under(jwks, { receivedAt: (now - 300) * 1000 })).toBe("accepted");
  });
});

const [header, payload, signature] = receipt().split(".") as [string, string, string];
const other = generateKeyPairSync("ed25519").privateKey;
it.each([
  ["another key's signature", receipt(claims, {}, other)],
  ["another key's name", receipt(claims, { kid: "old" })],
  ["an unknown key", receipt(claims, { kid: "new" })],
  ["no algorithm", `${part({ alg: "none", kid: "now", typ: "countersign-receipt+jwt" })}.${payload}.`],
  ["an unknown algorithm", receipt(claims, { alg: "HS256" })],
  ["an unknown critical header", receipt(claims, { crit: ["b64"] })],
  ["another type of token", receipt(claims, { typ: "at+jwt" })],
  ["an altered answer", `${header}.${part({ ...claims, resolution: { ...resolution, optionId: "no" } })}.${signature}`],
  ["another issuer", receipt({ ...claims, iss: "https://no.example.com" })],
  ["another app", receipt({ ...claims, aud: "app_b" })],
  ["another owner", receipt({ ...claims, owner: "own_b" })],
  ["no owner", receipt({ ...claims, owner: undefined })],
  ["a null owner", receipt({ ...claims, owner: null })],
  ["another approval", receipt({ ...claims, sub: "apr_b" })],
  ["another question", receipt({ ...claims, contentHash: await contentHash({ ...content, question: "Ship!" }) })],
  ["no answer", receipt({ ...claims, resolution: undefined })],
  ["no signature part", `${header}.${payload}`],
  ["padding in its signature", `${header}.${payload}.${signature}==`],
  [
    "another encoding of the same bytes",
    `${header}.${payload}.${signature.slice(0, -1)}${signature.endsWith("A") ? "B" : "A"}`,
  ],
  ["no characters", ""],
])("rejects a receipt with %s", async (_, jws) => {
  await expect(verifyReceipt(jws, checks)).rejects.toThrow(VerificationError);
});
