import crypto from "node:crypto";
import { syncBuiltinESMExports } from "node:module";
import { expect, it, vi } from "vitest";
import { hashPassword, isPassword } from "./passwords";

// Hashing is slow by design, and even slower while other tests run.
vi.setConfig({ testTimeout: 60_000 });

it("stores a password as a salted scrypt hash", async () => {
  const hashes = await Promise.all([1, 2].map(() => hashPassword("Zo\u00eb’s ﬁne password")));
  for (const hash of hashes) expect(hash).toMatch(/^scrypt\$17\$8\$1\$[\w-]{22}\$[\w-]{43}$/);
  expect(hashes[0]).not.toBe(hashes[1]);
  expect(await isPassword("Zoe\u0308’s fine password", hashes[0])).toBe(true);

  // The function does the same work for an unknown account, and returns false.
  const scrypt = vi.spyOn(crypto, "scrypt");
  syncBuiltinESMExports();
  for (const stored of [hashes[0], undefined]) expect(await isPassword("Zoe’s fine password", stored)).toBe(false);
  const [hit, miss] = scrypt.mock.calls.map(([password, , bytes, cost]) => [password, bytes, cost]);
  scrypt.mockRestore();
  syncBuiltinESMExports();
  expect(hit).toEqual(["Zoe’s fine password", 32, expect.objectContaining({ N: 2 ** 17, r: 8, p: 1 })]);
  expect(miss).toEqual(hit);
});

it("rejects concurrent password checks when the queue is full", async () => {
  const cheap = `scrypt$10$8$1$AAAA$${"A".repeat(43)}`;
  const crowd = await Promise.allSettled(Array.from({ length: 45 }, () => isPassword("x", cheap)));
  const refused = crowd.flatMap((it) => (it.status === "rejected" ? [it.reason] : []));
  expect(refused.map(({ status }) => status)).toEqual([503, 503, 503]);
  expect(await isPassword("x", cheap)).toBe(false);
});
