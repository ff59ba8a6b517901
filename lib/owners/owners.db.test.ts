import { randomInt } from "node:crypto";
import { describe, expect, it } from "vitest";
import { db } from "@/lib/database/db";
import { configure } from "@/lib/testing/change-settings";
import { anOwner } from "@/lib/testing/factories";
import { findOwnerByEmail, listOwners } from "./find-accounts";
import { changeAccount, changePassword, createOwner, signIn, signOutEverywhere, signUp } from "./owners";

const password = "a sentence that is long enough";
/** Returns an address in a random network. */
const address = () => `2001:db8:${randomInt(65536).toString(16)}:${randomInt(65536).toString(16)}::1`;
const eventsOf = async (ownerId: string) =>
  (await db.event.findMany({ where: { ownerId }, orderBy: { id: "asc" } })).map(({ type }) => type);
const somebody = () => `${crypto.randomUUID()}@Example.com`;

describe("account", () => {
  it("stores an email in lower case", async () => {
    const email = somebody();
    const { ownerId } = await createOwner({ email: ` ${email} `, name: "Robin", password });
    const expected = { ownerId, email: email.toLowerCase(), name: "Robin", createdAt: expect.any(Number) };
    expect(await findOwnerByEmail(email.toUpperCase())).toEqual(expected);
    expect(await listOwners()).toContainEqual(expected);
    expect(await eventsOf(ownerId)).toEqual(["owner.created"]);
  });

  it("creates only one account per email", async () => {
    const email = somebody();
    const racers = await Promise.allSettled([1, 2, 3].map((n) => createOwner({ email, name: `Robin ${n}`, password })));
    expect(racers.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    const lost = racers.flatMap((it) => (it.status === "rejected" ? [it.reason] : []));
    for (const reason of lost)
      expect(reason).toMatchObject({ status: 409, message: "This email already has an account. Use another email." });
  });

  it.each([
    ["an invalid email", { email: "robin", name: "Robin", password }, "email"],
    ["a blank name", { email: "robin@example.com", name: " ", password }, "name"],
    ["a NUL in the name", { email: "robin@example.com", name: "R\u0000", password }, "name"],
    ["a name over 100 characters", { email: "robin@example.com", name: "x".repeat(101), password }, "name"],
    [
      "a password under 15 characters",
      { email: "robin@example.com", name: "Robin", password: "fourteen chars" },
      "password",
    ],
    [
      "a password over 256 characters",
      { email: "robin@example.com", name: "Robin", password: "x".repeat(257) },
      "password",
    ],
  ])("rejects an account with %s", async (_, owner, path) => {
    await expect(createOwner(owner)).rejects.toMatchObject({ status: 400, details: [{ path }] });
  });

  it("lets visitors create accounts only while sign-ups are open", async () => {
    const owner = { email: somebody(), name: "Robin", password };
    await expect(signUp(owner, address())).rejects.toMatchObject({ status: 404 });
    configure({ SIGNUPS: "open" });
    try {
      expect(await signUp(owner, address())).toEqual({ ownerId: expect.any(String), sessionVersion: 1 });
    } finally {
      configure({ SIGNUPS: undefined });
    }
  });
});

describe("signing in", () => {
  it("accepts the right password with the email in any case", async () => {
    const { ownerId, email, password } = await anOwner();
    const signedIn = await signIn({ email: email.toUpperCase(), password, address: address() });
    expect(signedIn).toEqual({ ownerId, sessionVersion: 1 });
  });

  it("returns the same error for a wrong password and an unknown email", async () => {
    const { email } = await anOwner();
    const refusal = { status: 401, message: "The email or password is wrong" };
    await expect(signIn({ email, password, address: address() })).rejects.toMatchObject(refusal);
    await expect(signIn({ email: somebody(), password, address: address() })).rejects.toMatchObject(refusal);
  });

  it("does not count a correct password toward the rate limit", async () => {
    const { email, password: right } = await anOwner();
    const from = address();
    await db.throttle.deleteMany();
    await expect(signIn({ email, password, address: from })).rejects.toMatchObject({ status: 401 });
    expect(await db.throttle.count()).toBe(3);
    await signIn({ email, password: right, address: from });
    const left = await db.throttle.findMany();
    expect(left.map(({ key }) => key.replace(/\/.*/, "")).sort()).toEqual(["password-account", "password-address"]);
    for (const { expiresAt } of left) expect(expiresAt.getTime()).toBeLessThan(Date.now() + 18_000);
  });

  it("stores no readable email or IP address of a sign-in attempt", async () => {
    await signIn({ email: "my secret password", password, address: "192.0.2.77" }).catch(() => {});
    const keys = (await db.throttle.findMany()).map(({ key }) => key).join(" ");
    expect(keys).not.toContain("secret");
    expect(keys).not.toContain("192.0.2.77");
  });
});

describe("password", () => {
  it("ends every session when the password changes", async () => {
    const owner = await anOwner();
    const wrong = changePassword(owner, { current: "not this one, I fear", next: password, address: "192.0.2.1" });
    await expect(wrong).rejects.toMatchObject({ status: 400, details: [{ path: "current" }] });
    // Someone with a stolen session could guess the password here, so the owner's activity shows
    // failed attempts.
    const written = () => db.failedSignIn.findMany({ where: { ownerId: owner.ownerId } });
    await expect.poll(written).toMatchObject([{ step: "again", count: 1 }]);
    const short = changePassword(owner, { current: owner.password, next: "short", address: "192.0.2.1" });
    await expect(short).rejects.toMatchObject({ status: 400, details: [{ path: "next" }] });
    expect(
      await changePassword(owner, { current: owner.password, next: password, address: "192.0.2.1" }),
    ).toMatchObject({
      sessionVersion: 2,
    });
    const signedIn = await signIn({ email: owner.email, password, address: address() });
    expect(signedIn).toEqual({ ownerId: owner.ownerId, sessionVersion: 2 });
    await expect(signIn({ ...owner, address: address() })).rejects.toMatchObject({ status: 401 });
    expect(await eventsOf(owner.ownerId)).toEqual(["owner.password_changed"]);
  });

  it("accepts only one of two concurrent password changes", async () => {
    const owner = await anOwner();
    const nexts = ["the first of two passwords", "the second of two passwords"];
    const racers = await Promise.allSettled(
      nexts.map((next) => changePassword(owner, { current: owner.password, next, address: "192.0.2.1" })),
    );
    expect(racers.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  });
});

it("ends every session when the owner signs out everywhere", async () => {
  const owner = await anOwner();
  await signOutEverywhere(owner);
  expect(await signIn({ ...owner, address: address() })).toMatchObject({ sessionVersion: 2 });
  expect(await eventsOf(owner.ownerId)).toEqual(["owner.signed_out"]);
});

describe("account's name and email", () => {
  it("records the changed account fields in an event", async () => {
    const owner = await anOwner();
    const email = `new-${owner.email}`;
    await changeAccount(owner, { name: "Olive", email: email.toUpperCase() });
    expect(await findOwnerByEmail(email)).toMatchObject({ ownerId: owner.ownerId, name: "Olive" });
    expect(await signIn({ email, password: owner.password, address: "192.0.2.7" })).toMatchObject({
      ownerId: owner.ownerId,
    });
    const [event] = await db.event.findMany({ where: { ownerId: owner.ownerId, type: "owner.changed" } });
    expect(event?.data).toEqual({ changed: ["name", "email"] });
  });

  it("records no event if the account does not change", async () => {
    const owner = await anOwner();
    await changeAccount(owner, owner);
    expect(await db.event.count({ where: { ownerId: owner.ownerId } })).toBe(0);
  });

  it("requires a fresh sign-in to change the email", async () => {
    const [owner, other] = [await anOwner(), await anOwner()];
    const stale = { ...owner, fresh: false };
    await changeAccount(stale, { name: "Olive", email: owner.email });
    await expect(changeAccount(stale, { name: "Olive", email: `x${owner.email}` })).rejects.toMatchObject({
      status: 403,
    });
    await expect(changeAccount(owner, { name: "Olive", email: other.email })).rejects.toMatchObject({ status: 409 });
    await expect(changeAccount(owner, { name: "", email: "nobody" })).rejects.toMatchObject({ status: 400 });
    expect(await findOwnerByEmail(owner.email)).toMatchObject({ name: "Olive" });
  });
});
