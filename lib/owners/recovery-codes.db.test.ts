import { randomInt } from "node:crypto";
import { describe, expect, it } from "vitest";
import { db } from "@/lib/database/db";
import { anOwner } from "@/lib/testing/factories";
import { signIn } from "./owners";
import { makeRecoveryCodes, recoveryState, signInWithRecoveryCode } from "./recovery-codes";

/** Returns an address in a random network. */
const address = () => `2001:db8:${randomInt(65536).toString(16)}:${randomInt(65536).toString(16)}::1`;
const enter = (email: string, code: string, from = address()) => signInWithRecoveryCode({ email, code, address: from });

async function withCodes() {
  const owner = await anOwner();
  const { codes } = await makeRecoveryCodes(owner);
  return { owner, codes, code: codes[0] as string };
}

describe("recovery codes", () => {
  it("stores recovery codes only as hashes", async () => {
    const { owner, codes } = await withCodes();
    expect(new Set(codes).size).toBe(10);
    for (const code of codes) expect(code).toMatch(/^[0-9a-hjkmnp-tv-z]{4}(-[0-9a-hjkmnp-tv-z]{4}){2}$/);
    expect(await recoveryState(owner)).toEqual({ left: 10, madeAt: expect.any(Number) });
    const rows = await db.recoveryCode.findMany({ where: { ownerId: owner.ownerId } });
    const kept = rows.map(({ hash }) => `${Buffer.from(hash).toString("latin1")}`).join(" ");
    for (const code of codes) expect(kept).not.toContain(code);
  });

  it("accepts each recovery code only once", async () => {
    const { owner, code } = await withCodes();
    const written = ` ${code.toUpperCase().replaceAll("-", " ").replaceAll("0", "O").replaceAll("1", "l")} `;
    expect(await enter(owner.email.toUpperCase(), written)).toEqual({ ownerId: owner.ownerId, sessionVersion: 1 });
    const wrong = { status: 401, message: "The email or recovery code is wrong" };
    await expect(enter(owner.email, code)).rejects.toMatchObject(wrong);
    expect((await recoveryState(owner)).left).toBe(9);
    const types = (await db.event.findMany({ where: { ownerId: owner.ownerId } })).map(({ type }) => type);
    expect(types).toEqual(["owner.recovery_codes_made", "owner.recovery_code_used"]);
  });

  it("accepts a recovery code in only one of ten concurrent requests", async () => {
    const { owner, code } = await withCodes();
    const racers = await Promise.allSettled(Array.from({ length: 10 }, () => enter(owner.email, code)));
    expect(racers.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect((await recoveryState(owner)).left).toBe(9);
  });

  it("rejects another account's recovery code", async () => {
    const { code } = await withCodes();
    const wrong = { status: 401, message: "The email or recovery code is wrong" };
    await expect(enter((await anOwner()).email, code)).rejects.toMatchObject(wrong);
    await expect(enter("nobody@example.com", code)).rejects.toMatchObject(wrong);
  });

  it("invalidates all earlier recovery codes when new codes are generated", async () => {
    const { owner, code } = await withCodes();
    const [one, other] = await Promise.all([makeRecoveryCodes(owner), makeRecoveryCodes(owner)]);
    expect((await recoveryState(owner)).left).toBe(10);
    await expect(enter(owner.email, code)).rejects.toMatchObject({ status: 401 });
    const sets = await Promise.allSettled([one, other].map(({ codes }) => enter(owner.email, codes[0] as string)));
    expect(sets.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  });

  it("limits recovery code guesses to ten per address", async () => {
    const { owner, code } = await withCodes();
    const from = address();
    for (let guess = 0; guess < 10; guess++) {
      await expect(enter(owner.email, "0000-0000-0000", from)).rejects.toMatchObject({ status: 401 });
    }
    await expect(enter(owner.email, code, from)).rejects.toMatchObject({ status: 429 });
    await signIn({ ...owner, address: from });
    expect((await recoveryState(owner)).left).toBe(10);
    await enter(owner.email, code);
  });
});
