import { beforeEach, expect, it } from "vitest";
import { resetEnv } from "@/lib/config/env";
import { db } from "@/lib/database/db";
import { configure } from "@/lib/testing/change-settings";
import { anyOwner } from "./find-accounts";
import { isSetupToken, setUp, setupLink } from "./first-account-setup";
import { createOwner } from "./owners";

const owner = (n = 0) => ({
  email: `first${n}@example.com`,
  name: "Robin",
  password: "a sentence that is long enough",
});
const token = () => new URL(setupLink()).searchParams.get("token") ?? "";

// This file has its own database, without any owner.
beforeEach(async () => {
  await db.owner.deleteMany();
  await db.emailRoute.deleteMany();
});

it("keeps the setup link across restarts", () => {
  const link = setupLink();
  expect(link).toMatch(/^http:\/\/localhost:3000\/setup\?token=csn_su_\w{49}$/);
  resetEnv();
  expect(setupLink()).toBe(link);
  configure({ SETUP_TOKEN: "chosen by the operator" });
  try {
    expect(isSetupToken("chosen by the operator")).toBe(true);
    expect(token()).toBe("chosen by the operator");
    expect(isSetupToken(new URL(link).searchParams.get("token") ?? "")).toBe(false);
  } finally {
    configure({ SETUP_TOKEN: undefined });
  }
});

it("creates the first account with the right setup token", async () => {
  await expect(setUp("csn_su_wrong", owner())).rejects.toMatchObject({ status: 403 });
  expect(await anyOwner()).toBe(false);
  expect(await setUp(token(), owner())).toEqual({ ownerId: expect.any(String), sessionVersion: 1 });
  await expect(setUp(token(), owner(1))).rejects.toMatchObject({ status: 404 });
  expect(await db.owner.count()).toBe(1);
});

it("returns 404 for setup after the operator creates an account", async () => {
  await createOwner(owner());
  await expect(setUp(token(), owner(1))).rejects.toMatchObject({ status: 404 });
});

it("rejects an open setup form after the operator creates an account", async () => {
  await createOwner(owner());
  await expect(createOwner(owner(1), { first: true })).rejects.toMatchObject({ status: 404 });
  expect(await db.owner.count()).toBe(1);
});

it.each([1, 2, 3])("accepts only one of several concurrent setup requests, round %i", async () => {
  const racers = await Promise.allSettled([1, 2, 3, 4].map((n) => setUp(token(), owner(n))));
  expect(racers.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  for (const it of racers) if (it.status === "rejected") expect(it.reason).toMatchObject({ status: 404 });
  expect(await db.owner.count()).toBe(1);
});
