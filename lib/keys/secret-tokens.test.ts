import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Home, homeCount, homeOf } from "@/lib/database/shards/homes";
import { newOwnerId } from "@/lib/ids";
import { constantTimeEqual } from "./crypto";
import { derivedSecret, homeInSecret, isSecret, newSecret, newServiceSecret } from "./secret-tokens";

const ownerKinds = ["at", "rt", "ac", "pat", "sl", "rl", "hl", "al", "ec"] as const;
const serviceKinds = ["dc", "cs", "su"] as const;
const ownerKind = fc.constantFrom(...ownerKinds);
const anyHome = fc.integer({ min: 0, max: homeCount - 1 }) as fc.Arbitrary<Home>;
const bytes32 = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => Buffer.from(bytes));

const base62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
/** Every text that differs from the secret in one character after the prefix. */
const typos = (secret: string) =>
  Array.from({ length: secret.length - 7 }, (_, at) => at + 7).flatMap((at) =>
    [...base62]
      .filter((digit) => digit !== secret[at])
      .map((digit) => `${secret.slice(0, at)}${digit}${secret.slice(at + 1)}`),
  );

describe("an owner's secret", () => {
  it("contains its owner's home, in the form of earlier secrets", () => {
    fc.assert(
      fc.property(ownerKind, anyHome, (kind, home) => {
        const secret = newSecret(kind, { ownerId: newOwnerId(home) });
        expect(secret).toMatch(new RegExp(`^csn_${kind}_z[0-9a-v]{2}[0-9A-Za-z]{46}$`));
        expect(isSecret(secret, [kind])).toBe(true);
        expect(homeInSecret(secret)).toBe(home);
        expect(ownerKinds.filter((other) => other !== kind && isSecret(secret, [other]))).toEqual([]);
      }),
    );
  });

  it("has 40 random digits, each equally often", () => {
    const owner = { ownerId: newOwnerId() };
    const secrets = Array.from({ length: 4_000 }, () => newSecret("at", owner));
    expect(new Set(secrets).size).toBe(secrets.length);
    const counts = new Map<string, number>();
    for (const secret of secrets)
      for (const digit of secret.slice(10, 50)) counts.set(digit, (counts.get(digit) ?? 0) + 1);
    const expected = (40 * secrets.length) / 62;
    const chiSquare = [...base62].reduce(
      (sum, digit) => sum + ((counts.get(digit) ?? 0) - expected) ** 2 / expected,
      0,
    );
    // With 61 degrees of freedom, equally likely digits exceed 200 once in 10^15 runs. Digits with
    // the bias of `byte % 62` exceed 900.
    expect(chiSquare).toBeLessThan(200);
  });

  it("is derived from bytes, with or without a home", () => {
    const bytes = createHash("sha512").update("a").digest();
    const [one, again] = [derivedSecret("rt", bytes, 17 as Home), derivedSecret("rt", bytes, 17 as Home)];
    expect(again).toBe(one);
    expect([isSecret(one, ["rt"]), homeInSecret(one)]).toEqual([true, 17]);
    expect(derivedSecret("rt", bytes, 18 as Home)).not.toBe(one);
  });

  it("is rejected with any typo", () => {
    const secret = newSecret("pat", { ownerId: newOwnerId() });
    for (const typo of typos(secret)) expect([typo, isSecret(typo, ["pat"])]).toEqual([typo, false]);
    for (const junk of ["", "csn_pat_", "__proto__", `${secret} `, secret.slice(0, -1), `${secret}0`])
      expect(isSecret(junk, ["pat"])).toBe(false);
  });
});

describe("a secret without a home", () => {
  it.each([
    ["at", "csn_at_yhjskwdA6OZ1AL1YmHWZWm8LLG7HjnuCA2j5rOw8Xp13pSCYh", Buffer.alloc(32, 255)],
    ["pat", "csn_pat_00000000000000000000000000000000000000000002GjXJC", Buffer.alloc(32)],
    ["rt", "csn_rt_m2WfvneMdx1OPxfxkymSBtV6WTLflkV406Fp1iO9phD0rvP9d", createHash("sha256").update("a").digest()],
  ] as const)("is accepted as home 0 if it is an earlier %s", (kind, secret, bytes) => {
    expect(derivedSecret(kind, bytes, undefined)).toBe(secret);
    expect(isSecret(secret, [kind])).toBe(true);
    expect(homeInSecret(secret)).toBeUndefined();
    for (const typo of typos(secret)) expect([typo, isSecret(typo, [kind])]).toEqual([typo, false]);
  });

  it("keeps its form if it belongs to the service", () => {
    expect(newServiceSecret("cs", createHash("sha256").update("a").digest())).toBe(
      "csn_cs_m2WfvneMdx1OPxfxkymSBtV6WTLflkV406Fp1iO9phD0Xxw1Y",
    );
    for (const kind of serviceKinds) {
      const secret = newServiceSecret(kind);
      expect(secret).toMatch(new RegExp(`^csn_${kind}_[0-9A-Za-y][0-9A-Za-z]{48}$`));
      expect([isSecret(secret, [kind]), homeInSecret(secret)]).toEqual([true, undefined]);
    }
  });

  it("never begins like a secret with a home", () => {
    fc.assert(
      fc.property(ownerKind, bytes32, (kind, bytes) => {
        const secret = derivedSecret(kind, bytes, undefined);
        expect(isSecret(secret, [kind])).toBe(true);
        expect(homeInSecret(secret)).toBeUndefined();
      }),
    );
  });
});

describe("a malformed home", () => {
  /** Returns a secret with a valid checksum and any digits. */
  const withDigits = (kind: "at" | "cs", digits: string) => {
    const value = [...digits].reduce((sum, digit) => sum * 62n + BigInt(base62.indexOf(digit)), 0n);
    const bytes = Buffer.from(value.toString(16).padStart(66, "0"), "hex");
    return kind === "cs" ? newServiceSecret(kind, bytes) : derivedSecret(kind, bytes, undefined);
  };

  it("is rejected despite a valid checksum", () => {
    const rest = "5".repeat(40);
    expect(isSecret(withDigits("at", `zv0${rest}`), ["at"])).toBe(true);
    const malformed = [...base62].flatMap((digit) => (/[0-9a-v]/.test(digit) ? [] : [`0${digit}`, `${digit}0`]));
    expect(malformed).toHaveLength(60);
    for (const home of malformed) {
      const secret = withDigits("at", `z${home}${rest}`);
      expect(secret).toContain(`_z${home}5`);
      expect([secret, isSecret(secret, ["at"]), homeInSecret(secret)]).toEqual([secret, false, undefined]);
    }
  });

  it("is any home in a secret of the service", () => {
    const rest = "5".repeat(40);
    expect(isSecret(withDigits("cs", `y00${rest}`), ["cs"])).toBe(true);
    expect(isSecret(withDigits("cs", `z00${rest}`), ["cs"])).toBe(false);
  });

  it("prevents a new secret", () => {
    expect(() => newSecret("at", { ownerId: "olive@example.com" })).toThrow("no home");
    expect(homeOf(newOwnerId(1023 as Home))).toBe(1023);
  });
});

it("distinguishes equal texts from unequal texts of any length", () => {
  expect(constantTimeEqual("a", "a")).toBe(true);
  expect(constantTimeEqual("a", "b")).toBe(false);
  expect(constantTimeEqual("a", "ab")).toBe(false);
});
