import { expect, test } from "vitest";
import { constantTimeEqual } from "./crypto";
import { isSecret, newSecret } from "./secret-tokens";

test("creates a secret with a type prefix and a checksum", () => {
  // The smallest and the largest value of 32 bytes must both have the full width.
  for (const bytes of [Buffer.alloc(32), Buffer.alloc(32, 255)]) {
    const secret = newSecret("at", bytes);
    expect(secret).toMatch(/^csn_at_[0-9A-Za-z]{49}$/);
    expect(isSecret(secret, ["at"])).toBe(true);
  }
  expect(newSecret("pat", Buffer.alloc(32))).toBe(
    `csn_pat_${"0".repeat(43)}${newSecret("pat", Buffer.alloc(32)).slice(-6)}`,
  );
  expect(newSecret("at", Buffer.alloc(32)).slice(-6)).not.toBe(newSecret("cs", Buffer.alloc(32)).slice(-6));
});

test("rejects a secret that has a typo or another type", () => {
  const secret = newSecret("pat");
  expect(isSecret(secret, ["at"])).toBe(false);
  expect(isSecret(secret, ["at", "pat"])).toBe(true);
  for (let at = 8; at < secret.length; at++) {
    const typo = `${secret.slice(0, at)}${secret[at] === "x" ? "y" : "x"}${secret.slice(at + 1)}`;
    expect([typo, isSecret(typo, ["pat"])]).toEqual([typo, false]);
  }
  for (const junk of ["", "csn_pat_", "__proto__", `${secret} `, secret.slice(0, -1), `${secret}0`])
    expect(isSecret(junk, ["pat"])).toBe(false);
});

test("distinguishes equal texts from unequal texts of any length", () => {
  expect(constantTimeEqual("a", "a")).toBe(true);
  expect(constantTimeEqual("a", "b")).toBe(false);
  expect(constantTimeEqual("a", "ab")).toBe(false);
});
