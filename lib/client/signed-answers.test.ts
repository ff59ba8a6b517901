import { readFileSync } from "node:fs";
import { verifyAuthenticationResponse } from "@simplewebauthn/server";
import { describe, expect, it } from "vitest";
import { checksOf, readVectors, type Vector, vectorFiles } from "@/lib/testing/signed-answers/vectors";
import { sha256 } from "./content-hash";
import { VerificationError } from "./errors";
import { type SignedAnswerChecks, verifySignedAnswer } from "./signed-answers";
import type { Resolution } from "./types";

const file = readVectors();
const named = (name: string) => file.vectors.find((it) => it.name === name) as Vector;
const es256 = named("a signature with ES256");
const resolutionOf = ({ resolution }: Vector) => resolution as Resolution;
const checks = checksOf(file, es256);

/** Returns "accepted", or the reason of the refusal with a small first letter, as in Go. */
const verdict = (resolution: Resolution, expected: SignedAnswerChecks): Promise<string> =>
  verifySignedAnswer(resolution, expected).then(
    () => "accepted",
    (error: unknown) => {
      if (!(error instanceof VerificationError)) throw error;
      return error.message.charAt(0).toLowerCase() + error.message.slice(1);
    },
  );

describe("signed answers", () => {
  it.each(file.vectors.map((vector) => [vector.name, vector] as const))(
    "verifies the vector with %s",
    async (_, vector) => {
      const said = await verdict(resolutionOf(vector), checksOf(file, vector));
      expect(said).toContain(vector.refused ?? "accepted");
    },
  );

  it("has the same vectors for every language (to update: run make-vectors.ts)", () => {
    const [first, ...others] = vectorFiles.map((path) => readFileSync(path, "utf8"));
    expect(others).toEqual([first]);
    expect(file.vectors.filter(({ refused }) => !refused).length).toBeGreaterThan(15);
  });

  it("returns the signed facts", async () => {
    const signed = await verifySignedAnswer(resolutionOf(es256), checks);
    const { credentialId } = es256.resolution.signature as { credentialId: string };
    expect(signed).toMatchObject({ credentialId, synced: false, offeredAt: 1_795_000_060_000 });
    const counted = named("an increased counter");
    expect(await verifySignedAnswer(resolutionOf(counted), checksOf(file, counted))).toMatchObject({ counter: 8 });
    const synced = named("a passkey that can be synced");
    expect(await verifySignedAnswer(resolutionOf(synced), checks)).toMatchObject({ synced: true });
  });

  it("rejects texts that UTF-8 cannot encode", async () => {
    for (const note of ["\ud800", "a\udc00b", 7 as never])
      expect(await verdict({ ...resolutionOf(es256), note }, checks)).toBe("the answer is not valid Unicode text");
  });

  it("says yes only to the chosen option with exactly the chosen values", async () => {
    const { yes } = await verifySignedAnswer(resolutionOf(es256), checks);
    const values = { amount: { amount: "86.40", currency: "EUR" }, rate: 0.5 };
    expect([yes("pay"), yes("pay", values), yes("keep"), yes("keep", values)]).toEqual([true, true, false, false]);
    expect([yes("pay", {}), yes("pay", { ...values, rate: 1 })]).toEqual([false, false]);
    const words = await verifySignedAnswer(resolutionOf(named("the owner's own words")), checks);
    expect(words.yes("pay")).toBe(false);
  });
});

describe("altered bytes", () => {
  const text = new TextDecoder();
  const base64url = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64url");
  it.each(["a signature with ES256", "a signature with Ed25519", "a signature with RS256"])(
    "rejects %s after a change of any byte",
    async (name) => {
      const resolution = resolutionOf(named(name));
      const signature = resolution.signature as NonNullable<Resolution["signature"]>;
      const accepted: string[] = [];
      for (const member of ["statement", "authenticatorData", "clientDataJSON", "signature"] as const) {
        const isText = member === "statement";
        const bytes = isText
          ? new TextEncoder().encode(signature[member])
          : Buffer.from(signature[member], "base64url");
        for (let at = 0; at < bytes.length; at++) {
          for (const mask of [0x01, 0x20, 0x80, 0xff]) {
            const altered = Uint8Array.from(bytes);
            altered[at] = (altered[at] ?? 0) ^ mask;
            const value = isText ? text.decode(altered) : base64url(altered);
            const said = await verdict({ ...resolution, signature: { ...signature, [member]: value } }, checks);
            if (said === "accepted") accepted.push(`${member} ${at} ${mask}`);
          }
        }
      }
      expect(accepted).toEqual([]);
    },
  );
});

describe("checks of signed answers", () => {
  it.each(["issuer", "owner", "app", "approvalId", "keys"] as const)("requires %s", async (name) => {
    const { [name]: _, ...rest } = checks;
    await expect(verifySignedAnswer(resolutionOf(es256), rest as SignedAnswerChecks)).rejects.toThrow(
      `The answer check "${name}" must be`,
    );
  });

  it.each([
    [{ contentHash: undefined }, 'The answer check "contentHash" must be a string'],
    [{ approvalID: "apr_1" }, 'The answer check "approvalID" does not exist'],
    [{ toString: "apr_1" }, 'The answer check "toString" does not exist'],
    [{ keys: {} }, 'The answer check "keys" must be an array'],
    [{ origins: "https://yes.example.com" }, 'The answer check "origins" must be an array'],
    [{ askedAt: "now" }, 'The answer check "askedAt" must be a number'],
    [{ content: null }, 'The answer check "content" must be an object'],
  ])("rejects %j", async (wrong, message) => {
    const given = { ...checks, ...wrong } as unknown as SignedAnswerChecks;
    await expect(verifySignedAnswer(resolutionOf(es256), given)).rejects.toThrow(new TypeError(message));
  });

  it("requires the content, and the time of the question", async () => {
    const { contentHash: _, ...contentless } = checks;
    const { askedAt: __, ...timeless } = checks;
    const verify = (given: object) => verifySignedAnswer(resolutionOf(es256), given as SignedAnswerChecks);
    await expect(verify(contentless)).rejects.toThrow('Pass at least one of "content" or "contentHash"');
    await expect(verify(timeless)).rejects.toThrow(TypeError);
    await expect(verify({ ...timeless, acceptNewKeys: false })).rejects.toThrow(
      'Pass "askedAt", or set "acceptNewKeys" to true',
    );
  });

  it("rejects a key after a time that is not a number", async () => {
    expect(await verdict(resolutionOf(es256), { ...checks, askedAt: Number.NaN })).toContain(
      "added after the question",
    );
    const counted = { ...checks, lastCounter: Number.NaN };
    expect(await verdict(resolutionOf(es256), counted)).toContain("counter did not increase");
  });
});

/** Checks an assertion with @simplewebauthn/server. */
async function libraryAccepts(vector: Vector): Promise<boolean> {
  const { credentialId, statement, ...response } = vector.resolution.signature as Record<string, string>;
  const { issuer, origins = [issuer], rpId = new URL(issuer).hostname, lastCounter = 0 } = checksOf(file, vector);
  const challenge = await sha256(new TextEncoder().encode(statement));
  const passkey = file.cose[credentialId as string] as string;
  return verifyAuthenticationResponse({
    response: {
      id: credentialId as string,
      rawId: credentialId as string,
      type: "public-key",
      clientExtensionResults: {},
      response: response as never,
    },
    expectedChallenge: Buffer.from(challenge).toString("base64url"),
    expectedOrigin: [...origins],
    expectedRPID: rpId,
    requireUserVerification: true,
    credential: {
      id: credentialId as string,
      publicKey: Uint8Array.from(Buffer.from(passkey, "base64url")),
      counter: lastCounter,
    },
  }).then(
    ({ verified }) => verified,
    () => false,
  );
}

describe("@simplewebauthn/server", () => {
  const compared = file.vectors.filter(({ assertion, resolution }) => assertion !== undefined && resolution.signature);
  it("accepts exactly the assertions that are valid here", async () => {
    const verdicts = await Promise.all(compared.map(async (it) => [it.name, await libraryAccepts(it)]));
    expect(verdicts).toEqual(compared.map(({ name, assertion }) => [name, assertion]));
    expect(compared.filter(({ assertion }) => !assertion).length).toBeGreaterThan(25);
  });
});
