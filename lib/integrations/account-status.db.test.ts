import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { db } from "@/lib/database/db";
import { change } from "@/lib/events/change-transaction";
import { newId } from "@/lib/ids";
import { anOwner } from "@/lib/testing/factories";
import { type AccountOutcome, lockAccount, recordOutcome } from "./account-status";
import type { Credential } from "./providers/provider";

const credential: Credential = {
  kind: "oauth",
  accessToken: "a",
  refreshToken: "r",
  expiresAt: Date.now() + 3_600_000,
  scopes: [],
};
const passing: AccountOutcome = { kind: "failed", fault: { reason: "provider_down", final: false } };
const final: AccountOutcome = { kind: "failed", fault: { reason: "invalid_grant", final: true } };

async function anAccount() {
  const { ownerId } = await anOwner();
  const id = newId("int");
  const subject = randomBytes(6).toString("hex");
  await db.integration.create({
    data: { id, ownerId, provider: "google", issuer: "https://id.example", subject, email: "robin@example.com" },
  });
  return { id, ownerId };
}

const after = ({ id, ownerId }: { id: string; ownerId: string }, outcome: AccountOutcome) =>
  change({ ownerId }, async (tx) => {
    const row = await lockAccount(tx, id);
    return recordOutcome(tx, row!, outcome);
  });
const told = (ownerId: string) => db.notification.findMany({ where: { ownerId } });
const changes = async (ownerId: string) =>
  (await db.event.findMany({ where: { ownerId, type: "integration.status_changed" }, orderBy: { id: "asc" } })).map(
    ({ data }) => {
      const { provider, ...change } = data as Record<string, unknown>;
      expect(provider).toBe("google");
      return change;
    },
  );
const minutesPass = (id: string, minutes: number) => db.$executeRaw`
  UPDATE integration SET failing_since = failing_since - make_interval(mins => ${minutes}) WHERE id = ${id}`;

test("records one event for each change between connected and error", async () => {
  const account = await anAccount();
  const { id, ownerId } = account;
  expect(await after(account, passing)).toBe("connected");
  expect(await after(account, passing)).toBe("connected");
  await minutesPass(id, 6);
  expect(await after(account, passing)).toBe("error");
  expect(await after(account, { kind: "works", credential, renewed: true })).toBe("connected");
  expect(await changes(ownerId)).toEqual([
    { from: "connected", to: "error", reason: "provider_down" },
    { from: "error", to: "connected" },
  ]);
  expect(await told(ownerId)).toEqual([]);
  const row = await db.integration.findUniqueOrThrow({ where: { id } });
  expect(row).toMatchObject({ failures: 0, failingSince: null, statusReason: null });
  expect(row.tokenExpiresAt?.getTime()).toBe((credential as { expiresAt: number }).expiresAt);
  expect(row.refreshedAt).toEqual(row.checkedAt);
  expect(row.checkAt!.getTime()).toBeLessThan(row.tokenExpiresAt!.getTime());
});

test("records only one event for concurrent final failures", async () => {
  const account = await anAccount();
  const { id, ownerId } = account;
  await Promise.all([after(account, final), after(account, final), after(account, passing), after(account, final)]);
  await after(account, final);
  expect(await changes(ownerId)).toEqual([{ from: "connected", to: "needs_reauth", reason: "invalid_grant" }]);
  const [note, ...more] = await told(ownerId);
  expect(more).toEqual([]);
  expect(note).toMatchObject({ title: "Reconnect robin@example.com", type: "account" });
  expect(await db.integration.findUniqueOrThrow({ where: { id } })).toMatchObject({ checkAt: null });
});

test("notifies the owner only once after four days of errors", async () => {
  const account = await anAccount();
  const { id, ownerId } = account;
  await after(account, passing);
  await minutesPass(id, 6);
  await after(account, passing);
  await minutesPass(id, 4 * 24 * 60);
  expect(await after(account, passing)).toBe("needs_reauth");
  expect(await after(account, passing)).toBe("needs_reauth");
  expect(await changes(ownerId)).toMatchObject([{ to: "error" }, { from: "error", reason: "failing_too_long" }]);
  expect(await told(ownerId)).toHaveLength(1);
});

test("restores a disconnected account without notifying the owner again", async () => {
  const account = await anAccount();
  const { id, ownerId } = account;
  await after(account, final);
  await after(account, { kind: "disconnected", eraseAt: Date.now() + 10_000 });
  expect(await db.integration.findUniqueOrThrow({ where: { id } })).toMatchObject({
    status: "disconnected",
    statusBefore: "needs_reauth",
    disconnectedAt: expect.any(Date),
    eraseAt: expect.any(Date),
  });
  await after(account, { kind: "disconnected", eraseAt: Date.now() + 99_000 });
  expect(await after(account, { kind: "restored" })).toBe("needs_reauth");
  expect(await db.integration.findUniqueOrThrow({ where: { id } })).toMatchObject({
    statusReason: "invalid_grant",
    statusBefore: null,
    disconnectedAt: null,
    eraseAt: null,
    checkAt: null,
  });
  expect(await changes(ownerId)).toEqual([
    { from: "connected", to: "needs_reauth", reason: "invalid_grant" },
    { from: "needs_reauth", to: "disconnected", reason: "owner_disconnected" },
    { from: "disconnected", to: "needs_reauth", reason: "invalid_grant" },
  ]);
  expect(await told(ownerId)).toHaveLength(1);
});

test("restores a removed account completely when the owner relinks it", async () => {
  const account = await anAccount();
  const { id } = account;
  await after(account, { kind: "disconnected", eraseAt: Date.now() + 10_000 });
  expect(await after(account, { kind: "linked", credential })).toBe("connected");
  expect(await db.integration.findUniqueOrThrow({ where: { id } })).toMatchObject({
    disconnectedAt: null,
    eraseAt: null,
    statusBefore: null,
    checkAt: expect.any(Date),
  });
});

test("finds an account only for the account's owner", async () => {
  const [{ id, ownerId }, other] = [await anAccount(), await anOwner()];
  expect(await lockAccount(db, id, other.ownerId)).toBeUndefined();
  expect(await lockAccount(db, id, ownerId)).toMatchObject({ id, status: "connected" });
});
