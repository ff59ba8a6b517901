import { describe, expect, it } from "vitest";
import { db } from "@/lib/database/db";
import { anOwner } from "@/lib/testing/factories";
import { anAuthenticator } from "@/lib/testing/passkey-authenticator";
import { askForPasskey, signInWithPasskey } from "./passkey-sign-in";
import { addPasskey, beginPasskey, listPasskeys, removePasskey } from "./passkeys";

const from = "192.0.2.44";
type Device = ReturnType<typeof anAuthenticator>;

async function anOwnerWithPasskey() {
  const [owner, device] = [await anOwner(), anAuthenticator()];
  await addPasskey(owner, { name: "Phone", response: device.create(await beginPasskey(owner)) });
  return { owner, device };
}
const answer = async (device: Device, twist: Parameters<Device["get"]>[1] = {}) =>
  device.get(await askForPasskey({ address: from }), twist);
const refused = { status: 401 };

describe("passkey", () => {
  it("signs in with a passkey", async () => {
    const owner = await anOwner();
    const options = await beginPasskey(owner);
    expect(options).toMatchObject({
      rp: { id: "localhost" },
      user: { name: owner.email },
      authenticatorSelection: { residentKey: "required", userVerification: "required" },
    });
    const device = anAuthenticator();
    await addPasskey(owner, { name: " Phone ", response: device.create(options) });
    expect(await listPasskeys(owner)).toEqual([{ id: device.id, name: "Phone", createdAt: expect.any(Number) }]);
    expect(await signInWithPasskey(await answer(device), { address: from })).toEqual({
      ownerId: owner.ownerId,
      sessionVersion: 1,
    });
    expect((await listPasskeys(owner))[0]?.lastUsedAt).toEqual(expect.any(Number));
    expect((await beginPasskey(owner)).excludeCredentials).toMatchObject([{ id: device.id }]);
  });

  it("accepts an owner's remaining passkey after the owner removes another passkey", async () => {
    const { owner, device } = await anOwnerWithPasskey();
    const second = anAuthenticator();
    await addPasskey(owner, { name: "Key", response: second.create(await beginPasskey(owner)) });
    expect((await listPasskeys(owner)).map(({ name }) => name)).toEqual(["Key", "Phone"]);
    await expect(removePasskey(await anOwner(), device.id)).rejects.toMatchObject({ status: 404 });
    await removePasskey(owner, device.id);
    await expect(signInWithPasskey(await answer(device), { address: from })).rejects.toMatchObject(refused);
    await signInWithPasskey(await answer(second), { address: from });
    const events = await db.event.findMany({ where: { ownerId: owner.ownerId }, orderBy: { id: "asc" } });
    expect(events.map(({ type }) => type)).toEqual([
      ...["owner.passkey_added", "owner.passkey_added", "owner.passkey_removed"],
    ]);
  });

  it("rejects a passkey that another owner registered", async () => {
    const { device } = await anOwnerWithPasskey();
    const other = await anOwner();
    const response = device.create(await beginPasskey(other));
    await expect(addPasskey(other, { name: "Mine", response })).rejects.toMatchObject({ status: 409 });
  });

  it.each([
    ["another origin", { origin: "https://evil.example" }],
    ["another relying party", { rpId: "evil.example" }],
    ["no user verification", { verified: false }],
  ])("rejects a passkey with %s", async (_, twist) => {
    const { owner, device } = await anOwnerWithPasskey();
    const made = anAuthenticator().create(await beginPasskey(owner), twist);
    await expect(addPasskey(owner, { name: "Phone", response: made })).rejects.toMatchObject({ status: 400 });
    await expect(signInWithPasskey(await answer(device, twist), { address: from })).rejects.toMatchObject(refused);
  });

  it("rejects a passkey whose counter does not increase", async () => {
    const { owner, device } = await anOwnerWithPasskey();
    await signInWithPasskey(await answer(device, { count: 9 }), { address: from });
    await expect(signInWithPasskey(await answer(device, { count: 9 }), { address: from })).rejects.toMatchObject(
      refused,
    );
    await expect(signInWithPasskey(await answer(device, { count: 8 }), { address: from })).rejects.toMatchObject(
      refused,
    );
    // The owner's activity shows this failure like any other failed sign-in.
    const written = () => db.failedSignIn.findMany({ where: { ownerId: owner.ownerId, step: "passkey" } });
    await expect.poll(async () => (await written()).reduce((sum, { count }) => sum + count, 0)).toBe(2);
    await signInWithPasskey(await answer(device, { count: 10 }), { address: from });
  });

  it("accepts a passkey without a counter", async () => {
    const [owner, device] = [await anOwner(), anAuthenticator()];
    const response = device.create(await beginPasskey(owner), { count: 0 });
    await addPasskey(owner, { name: "Phone", response });
    for (let time = 0; time < 2; time++) await signInWithPasskey(await answer(device, { count: 0 }), { address: from });
  });

  it.each(["", "{", "null", "[]", '{"id":7}', '{"id":"a"}', JSON.stringify({ id: "x".repeat(5000) })])(
    "rejects the malformed passkey response %s",
    async (junk) => {
      const owner = await anOwner();
      await expect(signInWithPasskey(junk, { address: from })).rejects.toMatchObject(refused);
      await expect(addPasskey(owner, { name: "Phone", response: junk })).rejects.toMatchObject({ status: 400 });
    },
  );
});

describe("challenge", () => {
  it("accepts only one response to a challenge", async () => {
    const { device } = await anOwnerWithPasskey();
    const response = await answer(device);
    const racers = await Promise.allSettled(
      Array.from({ length: 5 }, () => signInWithPasskey(response, { address: from })),
    );
    expect(racers.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    await expect(signInWithPasskey(response, { address: from })).rejects.toMatchObject(refused);
  });

  it("expires a challenge after five minutes", async () => {
    const { owner, device } = await anOwnerWithPasskey();
    const late = await answer(device);
    await db.$executeRaw`UPDATE passkey_challenge SET expires_at = now() - interval '1 second'`;
    await expect(signInWithPasskey(late, { address: from })).rejects.toMatchObject(refused);
    const { challenge } = await beginPasskey(owner);
    await expect(
      signInWithPasskey(device.get({ challenge, rpId: "localhost" }), { address: from }),
    ).rejects.toMatchObject(refused);
    const others = anAuthenticator().create(await beginPasskey(await anOwner()));
    await expect(addPasskey(owner, { name: "Phone", response: others })).rejects.toMatchObject({ status: 400 });
    await expect(
      signInWithPasskey(device.get({ challenge: "AAAA", rpId: "localhost" }), { address: from }),
    ).rejects.toMatchObject(refused);
  });

  it("accepts only passkeys of the signed-in owner", async () => {
    const [{ owner, device }, other] = [await anOwnerWithPasskey(), await anOwnerWithPasskey()];
    const options = await askForPasskey({ address: from }, owner);
    expect(options.allowCredentials).toMatchObject([{ id: device.id }]);
    await expect(signInWithPasskey(other.device.get(options), { address: from }, owner)).rejects.toMatchObject(refused);
    expect(await signInWithPasskey(device.get(options), { address: from }, owner)).toMatchObject({
      ownerId: owner.ownerId,
    });
    await expect(signInWithPasskey(await answer(device), { address: from }, owner)).rejects.toMatchObject(refused);
  });

  it("makes an address wait at most 15 seconds after too many challenges", async () => {
    await db.throttle.deleteMany();
    const owner = await anOwner();
    await askForPasskey({ address: "198.51.100.3" });
    await db.$executeRaw`UPDATE throttle SET expires_at = now() + interval '15 minutes' WHERE key LIKE 'passkey-address/%'`;
    const refused = await askForPasskey({ address: "198.51.100.3" }).catch((error) => error);
    expect(refused).toMatchObject({ status: 429 });
    expect(Number(refused.headers["retry-after"])).toBeLessThanOrEqual(15);
    await askForPasskey({ address: "198.51.100.3" }, owner);
    await askForPasskey({ address: "198.51.100.4" });
  });
});
