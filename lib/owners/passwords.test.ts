import { expect, it, vi } from "vitest";
import { hashPassword, isPassword } from "./passwords";

// Hashing is slow on purpose, and slower beside other tests.
vi.setConfig({ testTimeout: 60_000 });

it("keeps a password as a salted scrypt hash that says its own cost", async () => {
  const hashes = await Promise.all([hashPassword("correct horse battery"), hashPassword("correct horse battery")]);
  for (const hash of hashes) expect(hash).toMatch(/^scrypt\$17\$8\$1\$[\w-]{22}\$[\w-]{43}$/);
  expect(hashes[0]).not.toBe(hashes[1]);
  expect(await isPassword("correct horse battery", hashes[0])).toBe(true);
  expect(await isPassword("correct horse batterz", hashes[0])).toBe(false);
});

it("takes the same password in another Unicode form", async () => {
  const hash = await hashPassword("Zo\u00eb’s ﬁne password");
  expect(await isPassword("Zoe\u0308’s fine password", hash)).toBe(true);
});

it("takes as long where there is no such account, and says no", async () => {
  const hash = await hashPassword("correct horse battery");
  const time = async (stored: string | undefined) => {
    const from = performance.now();
    expect(await isPassword("something else entirely", stored)).toBe(false);
    return performance.now() - from;
  };
  const [hit, miss] = [await time(hash), await time(undefined)];
  expect(miss).toBeGreaterThan(hit / 3);
});

it("hashes two at a time, lets forty wait, and sends the rest of a crowd away", async () => {
  const cheap = `scrypt$10$8$1$AAAA$${"A".repeat(43)}`;
  const crowd = await Promise.allSettled(Array.from({ length: 45 }, () => isPassword("x", cheap)));
  const refused = crowd.flatMap((it) => (it.status === "rejected" ? [it.reason] : []));
  expect(refused.map(({ status }) => status)).toEqual([503, 503, 503]);
  expect(await isPassword("x", cheap)).toBe(false);
});
