import { generateKeyPairSync, sign } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { readVectors, type Vector } from "@/lib/testing/signed-answers/vectors";
import { runCommand } from "../run-command-line";

const { checks, content, vectors } = readVectors();
const named = (name: string) => vectors.find((it) => it.name === name) as Vector;
const { resolution } = named("a signature with ES256");
const folder = mkdtempSync(join(tmpdir(), "countersign-verify-"));
afterAll(() => rmSync(folder, { recursive: true }));
beforeEach(() => vi.stubEnv("COUNTERSIGN_URL", ""));
afterEach(() => vi.unstubAllEnvs());

/** Writes a file, and returns its path. */
function file(name: string, value: unknown): string {
  const path = join(folder, name);
  writeFileSync(path, typeof value === "string" ? value : JSON.stringify(value));
  return path;
}

const service = generateKeyPairSync("ed25519");
const claims = {
  ...{ iss: checks.issuer, aud: checks.app, owner: checks.owner, sub: checks.approvalId, iat: 1_795_000_065 },
  ...{ contentHash: checks.contentHash, resolution },
};
function receipt(other: object = {}): string {
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const head = { alg: "EdDSA", typ: "countersign-receipt+jwt", kid: "k1" };
  const said = `${encode(head)}.${encode({ ...claims, ...other })}`;
  return `${said}.${sign(null, Buffer.from(said), service.privateKey).toString("base64url")}`;
}
const jwks = file("jwks.json", { keys: [{ ...service.publicKey.export({ format: "jwk" }), kid: "k1" }] });
const pinned = { keys: checks.keys, owner: checks.owner, rpId: "yes.example.com", origins: [checks.issuer] };
const keys = ["--keys", file("keys.json", pinned), "--asked-at", String(checks.askedAt)];
const approval = { ...content, _id: "apr_1", clientId: "app_1", contentHash: checks.contentHash, resolution };

const verify = (value: unknown, ...args: string[]) =>
  runCommand(["verify", file("document", value), "--issuer", checks.issuer, ...args]);
const ofReceipt = (other: object, ...args: string[]) => verify(receipt(other), "--jwks", jwks, ...args);

describe("countersign verify", () => {
  it("verifies a plain receipt, and lists what it did not compare", async () => {
    const { signature: _, ...unsigned } = resolution;
    const { out, err, status } = await ofReceipt({ resolution: unsigned });
    expect([err, status]).toEqual(["", 0]);
    expect(out).toContain('Verified: the owner chose the option "pay" with the values {"rate":0.5,');
    expect(out).toMatch(/^issuer +https:\/\/yes\.example\.com +signed the receipt$/m);
    expect(out).toMatch(/^passkey +- +not verified \(--keys\)$/m);
    expect(out).toMatch(/^owner +own_1 +not compared with an expected value \(--owner\)$/m);
    expect(out).toMatch(/^content +sha256:\w+ +not compared with an expected value \(--content\)$/m);
  });

  it("verifies a receipt with the owner's keys and all expected values", async () => {
    const expected = [
      "--app",
      "app_1",
      "--approval",
      "apr_1",
      "--content",
      file("content.json", content),
      "--option",
      "pay",
    ];
    const { out, err, status } = await ofReceipt({}, ...keys, ...expected, "--json");
    expect([err, status]).toEqual(["", 0]);
    expect(JSON.parse(out)).toMatchObject({
      valid: true,
      kind: "receipt",
      owner: "own_1",
      compared: ["app", "owner", "approval", "content"],
      passkey: { credentialId: resolution.signature?.credentialId, synced: false, offeredAt: 1_795_000_060_000 },
    });
    const text = await ofReceipt({}, ...keys);
    expect(text.out).toMatch(/^passkey +\S+ +signed after 2026-\S+Z, bound to one device, counter \d+$/m);
  });

  it("verifies an approval by the passkey's signature alone", async () => {
    const { out, err, status } = await verify(approval, ...keys);
    expect([err, status]).toEqual(["", 0]);
    expect(out).toMatch(/^issuer +\S+ +did not sign the approval$/m);
    expect(out).toMatch(/^owner +own_1 +as expected$/m);
    const { _id: id, ...submitted } = approval;
    expect((await verify({ id, ...submitted }, ...keys)).status).toBe(0);
    expect((await verify({ receipt: receipt() }, "--jwks", jwks)).out).toContain("Verified");
  });

  it("uses COUNTERSIGN_URL as the issuer by default", async () => {
    vi.stubEnv("COUNTERSIGN_URL", checks.issuer);
    expect((await runCommand(["verify", file("document", receipt()), "--jwks", jwks])).status).toBe(0);
  });

  it("quotes texts that could control the terminal", async () => {
    const note = "\u001b[2J\u202eok\u{e0061}";
    const { out } = await ofReceipt({ resolution: { ...resolution, note } });
    expect(out).toContain('the note "\\u001b[2J\\u202eok\\udb40\\udc61"');
    expect((await ofReceipt({ sub: "a\nb" })).out).toContain('"a\\nb"');
    const words = { kind: "other", otherText: "Half", resolvedBy: "api", resolvedAt: 1 };
    expect((await ofReceipt({ resolution: words })).out).toContain(
      'the app, or its default, and not the owner, answered "Half".',
    );
  });
});

describe("refusals of countersign verify", () => {
  const altered = { ...resolution, optionId: "keep" };
  it.each([
    ["another app", () => ofReceipt({}, "--app", "app_2"), "The receipt's claim aud does not match"],
    ["another owner", () => ofReceipt({}, "--owner", "own_2"), "The receipt's claim owner does not match"],
    ["another pinned owner", () => ofReceipt({ owner: "own_2" }, ...keys), "The receipt's claim owner does not match"],
    ["another approval", () => ofReceipt({}, "--approval", "apr_2"), "The receipt's claim sub does not match"],
    [
      "other content",
      () => ofReceipt({}, "--content", file("other.json", { ...content, question: "Pay invoice 8?" })),
      "The receipt's claim contentHash does not match",
    ],
    ["another option", () => ofReceipt({}, "--option", "keep"), 'The owner did not choose the option "keep"'],
    ["a simulated answer", () => ofReceipt({ simulated: true }), "A simulated owner answered"],
    ["a forged receipt", () => verify(`${receipt()}AA`, "--jwks", jwks), "Not verified: The receipt"],
    ["text that is no receipt", () => verify("a.b.c", "--jwks", jwks), "The receipt is not a compact JWS"],
    [
      "a receipt with another option than the signed one",
      () => ofReceipt({ resolution: altered }, ...keys),
      "Not verified: The signed statement's option does not match the answer.",
    ],
    ["an altered answer", () => verify({ ...approval, resolution: altered }, ...keys), "option does not match"],
    [
      "an altered question",
      () => verify({ ...approval, question: "Pay?" }, ...keys),
      "The approval's contentHash is not the hash of its content",
    ],
    ["a receipt without an owner", () => ofReceipt({ owner: undefined }), "The receipt does not name its owner."],
    ["facts that are no list", () => verify({ ...approval, facts: "Amount" }, ...keys), "The question is malformed"],
    [
      "expected content that is not Unicode text",
      () => ofReceipt({}, "--content", file("malformed.json", { ...content, question: "\ud800" })),
      "The question is malformed",
    ],
    ["an approval for another app", () => verify(approval, ...keys, "--app", "app_2"), "The approval's clientId"],
    ["another approval than expected", () => verify(approval, ...keys, "--approval", "apr_2"), "The approval's ID"],
    [
      "a passkey added later",
      () => verify(approval, ...keys.slice(0, 2), "--asked-at", "2020-01-01"),
      "was added after",
    ],
    ["another RP ID", () => verify(approval, ...keys, "--rp-id", "a.example"), "for another RP ID"],
    ["another origin", () => verify(approval, ...keys, "--origin", "https://a.example"), "not an expected origin"],
    ["an unanswered approval", () => verify({ ...approval, resolution: undefined }, ...keys), "no answer yet"],
    ["another file", () => verify("{}", ...keys), "contains neither a receipt nor an approval"],
    ["other keys", () => verify(approval, "--keys", file("none.json", "[]"), "--accept-new-keys"), "does not contain"],
    ["a missing file", () => runCommand(["verify", join(folder, "none"), "--issuer", checks.issuer]), "Couldn't read"],
  ])("rejects %s", async (_, run, message) => {
    const { out, err, status } = await run();
    expect(err).toContain(message);
    expect(err).toMatch(/^[^\n]+[.!?]\n$/);
    expect([out, status]).toEqual(["", 1]);
  });

  it.each([
    ["no issuer", () => runCommand(["verify", file("document", receipt())]), "--issuer must be a URL"],
    ["an approval without keys", () => verify(approval), "Add --keys with the owner's keys"],
    ["keys without a time", () => verify(approval, ...keys.slice(0, 2)), "--keys requires --asked-at or"],
    [
      "keys without an owner",
      () => verify(approval, "--keys", file("anonymous.json", { keys: checks.keys }), "--accept-new-keys"),
      "--owner is required",
    ],
  ])("explains the usage with %s", async (_, run, message) => {
    const { err, status } = await run();
    expect(err).toContain(message);
    expect(status).toBe(2);
  });

  it("reports unreachable keys of the service", async () => {
    const args = ["verify", file("document", receipt({ iss: "http://127.0.0.1:1" })), "--issuer", "http://127.0.0.1:1"];
    const { err, status } = await runCommand(args);
    expect([err, status]).toEqual([
      "Couldn't read the service's keys. Check --issuer, or pass the keys with --jwks.\n",
      1,
    ]);
  });
});
