import { expect, test, vi } from "vitest";
import type { Jwks } from "@/lib/client/receipts";
import { aReceiptKey, sampleClaims, signedClaims } from "@/lib/testing/sample-receipt";
import { checkReceipt, ReceiptProblem } from "./check-receipt";
import { checkSignature } from "./check-signature";

const issuer = "https://yes.example.com";
const { jwks, receiptOf } = aReceiptKey();
const check = (text: string, keys: Jwks = jwks) => checkReceipt(text, issuer, keys);
const problem = (work: Promise<unknown>) =>
  work.then(
    () => "no problem",
    (error: unknown) => (error instanceof ReceiptProblem ? error.message : `another error: ${error}`),
  );

test("checks a receipt as text, with line breaks, and in the API's JSON", async () => {
  const receipt = receiptOf(sampleClaims(issuer));
  for (const text of [receipt, `\n${receipt.match(/.{1,60}/g)?.join("\n")} `, JSON.stringify({ receipt })])
    expect(await check(text)).toMatchObject({ iss: issuer, resolution: { optionId: "pay", resolvedBy: "owner" } });
});

test("checks simulated receipts, and receipts without an owner", async () => {
  const claims = sampleClaims(issuer);
  expect(await check(receiptOf({ ...claims, simulated: true }))).toMatchObject({ simulated: true });
  const { owner: _, ...former } = claims;
  expect(await check(receiptOf(former))).not.toHaveProperty("owner");
});

test("explains why a receipt isn't proved", async () => {
  const receipt = receiptOf(sampleClaims(issuer));
  const [head = "", , signature = ""] = receipt.split(".");
  const forged = Buffer.from(JSON.stringify(sampleClaims(issuer, { optionId: "keep" }))).toString("base64url");
  const cases: [string, string][] = [
    ["", "isn’t a receipt"],
    ["Pay?", "isn’t a receipt"],
    ["a.b.c", "isn’t a receipt"],
    ["{}", "isn’t a receipt"],
    ['{"receipt":7}', "isn’t a receipt"],
    [`${head}.${Buffer.from("null").toString("base64url")}.x`, "isn’t a receipt"],
    [`${head}.${forged}.${signature}`, "This receipt is not valid. The receipt's signature is invalid."],
    [aReceiptKey().receiptOf(sampleClaims(issuer)), "The receipt's signature is invalid."],
    [receiptOf(sampleClaims("https://other.example")), "names another service, https://other.example"],
  ];
  for (const [text, expected] of cases) expect(await problem(check(text)), text.slice(0, 40)).toContain(expected);
  const revoked = { keys: [], revoked_keys: jwks.keys };
  expect(await problem(check(receipt, revoked))).toContain("The service revoked the receipt's key");
});

test("explains what a browser lacks", async () => {
  const receipt = receiptOf(sampleClaims(issuer));
  const unable = vi.spyOn(crypto.subtle, "importKey").mockRejectedValue(new DOMException("", "NotSupportedError"));
  expect(await problem(check(receipt))).toContain("can’t check Ed25519 signatures");
  unable.mockRestore();
  const insecure = vi.spyOn(crypto, "subtle", "get").mockReturnValue(undefined as never);
  expect(await problem(check(receipt))).toContain("Open this page with https.");
  insecure.mockRestore();
});

test("checks the passkey's signature with the owner's keys", async () => {
  const lens = "https://lens.example.org";
  const { claims, keys } = signedClaims(issuer, lens);
  const receipt = await check(receiptOf(claims));
  expect(await checkSignature(receipt, JSON.stringify(keys))).toEqual({
    credentialId: keys.keys[0]?.credentialId,
    synced: false,
    offeredAt: 1_796_000_000_000,
    since: 1_790_000_000_000,
    origin: lens,
  });
  const refused = async (changes: object) => problem(checkSignature(receipt, JSON.stringify({ ...keys, ...changes })));
  expect(await refused({ owner: "own_2" })).toContain("another owner");
  expect(await refused({ keys: [] })).toContain("The passkey’s signature is not valid.");
  expect(await refused({ origins: [issuer] })).toContain("The passkey’s signature is not valid.");
  expect(await refused({ rpId: "other.example" })).toContain("The passkey’s signature is not valid.");
  expect(await refused({ keys: signedClaims(issuer, lens).keys.keys })).toContain("not one of the owner's keys");
  expect(await problem(checkSignature(receipt, "[]"))).toContain("doesn’t contain the owner’s keys");
  expect(await problem(checkSignature(receipt, "x"))).toContain("doesn’t contain the owner’s keys");
});

test("detects an answer that differs from the signed statement", async () => {
  const { claims, keys } = signedClaims(issuer);
  // The service signs a receipt with another option, and keeps the owner's signature.
  const resolution = { ...claims.resolution, optionId: "keep" };
  const receipt = await check(receiptOf({ ...claims, resolution }));
  expect(await problem(checkSignature(receipt, JSON.stringify(keys)))).toContain(
    "The passkey’s signature is not valid.",
  );
});
