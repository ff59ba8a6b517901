import { beforeEach, expect, test, vi } from "vitest";
import { sweep } from "@/lib/cli/delete-expired-rows";
import { db } from "@/lib/database/db";
import { change } from "@/lib/events/change-transaction";
import { eraseRemoved, keepAlive } from "@/lib/testing/chores";
import { eventually } from "@/lib/testing/eventually";
import { anAppWith, anOwner } from "@/lib/testing/factories";
import { atEveryShard } from "@/lib/testing/shards/at-every-shard";
import { aProvider, aWorkingAccount, makeDue, someTokens } from "@/lib/testing/working-linked-accounts";
import { lockAccount, recordOutcome } from "./account-status";
import { disconnect, undoDisconnect } from "./disconnect-account";
import { listIntegrations } from "./list-integrations";
import { ProviderFault } from "./providers/provider";
import { openCredential, storeCredential } from "./vault";

beforeEach(() => db.integration.deleteMany({ where: { grants: { none: {} } } }));

const rowOf = (id: string) => db.integration.findUniqueOrThrow({ where: { id } });
const tenSecondsPass = (id: string) => db.$executeRaw`
  UPDATE integration SET erase_at = erase_at - interval '11 seconds' WHERE id = ${id}`;
const kept = (id: string) => db.integrationSecret.count({ where: { integrationId: id } });
/** Links the account again, as when an owner returns from the provider. */
const linkAgain = (account: { id: string; ownerId: string; provider: string }, credential = someTokens()) =>
  change(account, async (tx) => {
    const row = await lockAccount(tx, account.id);
    await storeCredential(tx, account, credential);
    await recordOutcome(tx, row!, { kind: "linked", credential });
    return credential;
  });

test("erases an account ten seconds after the owner disconnects it", async () => {
  const provider = aProvider();
  const { id, owner, credential } = await aWorkingAccount();
  await disconnect(owner, id);
  const { disconnectedAt, eraseAt, ...row } = await rowOf(id);
  expect(row).toMatchObject({ status: "disconnected", statusBefore: "connected" });
  expect((eraseAt?.getTime() ?? 0) - (disconnectedAt?.getTime() ?? 0)).toBe(10_000);
  // Until `eraseAt`, nothing is erased, and the account is not checked.
  await makeDue(id);
  expect(await eraseRemoved(provider)).toBe(0);
  expect(await keepAlive(provider)).toBe(0);
  expect(await kept(id)).toBe(1);

  await tenSecondsPass(id);
  expect(await eraseRemoved(provider)).toBe(1);
  expect(provider.revoked).toEqual([credential.kind === "oauth" && credential.refreshToken]);
  expect(await kept(id)).toBe(0);
  expect(await rowOf(id)).toMatchObject({
    status: "disconnected",
    statusReason: "owner_disconnected",
    statusBefore: null,
    eraseAt: null,
    checkAt: null,
    tokenExpiresAt: null,
    lease: null,
    disconnectedAt,
  });
  expect(await eraseRemoved(provider)).toBe(0);
  const events = await db.event.findMany({ where: { subject: id } });
  expect(events.map(({ type, data }) => [type, data])).toEqual([
    [
      "integration.status_changed",
      { provider: "google", from: "connected", to: "disconnected", reason: "owner_disconnected" },
    ],
  ]);
});

test("restores an account within the undo period without revoking its access", async () => {
  const provider = aProvider();
  const { id, owner, credential, ...account } = await aWorkingAccount();
  await disconnect(owner, id);
  await undoDisconnect(owner, id);
  expect(await rowOf(id)).toMatchObject({ status: "connected", eraseAt: null, disconnectedAt: null });
  await undoDisconnect(owner, id);
  expect(await eraseRemoved(provider)).toBe(0);
  expect((await openCredential(db, { id, ...account }))?.credential).toEqual(credential);
  expect(await keepAlive(provider)).toBe(1);

  await disconnect(owner, id);
  await tenSecondsPass(id);
  await expect(undoDisconnect(owner, id)).rejects.toMatchObject({ status: 409 });
  expect(await eraseRemoved(provider)).toBe(1);
  await expect(undoDisconnect(owner, id)).rejects.toMatchObject({ status: 409 });
  // Another removal changes nothing. The undo period does not restart.
  await disconnect(owner, id);
  expect(await rowOf(id)).toMatchObject({ status: "disconnected", eraseAt: null });
});

test("revokes an account's access only once across several instances", async () => {
  const provider = aProvider();
  provider.before = () => new Promise((resolve) => setTimeout(resolve, 50));
  const accounts = await Promise.all(Array.from({ length: 12 }, () => aWorkingAccount()));
  for (const { id, owner } of accounts) {
    await disconnect(owner, id);
    await tenSecondsPass(id);
  }
  const rounds = await Promise.all([1, 2, 3].map(() => eraseRemoved(provider)));
  expect(rounds.reduce((sum, each) => sum + each, 0)).toBe(12);
  expect(new Set(provider.revoked).size).toBe(12);
  expect(provider.revoked).toHaveLength(12);
});

test.each([
  ["rejects the revocation", () => Promise.reject(new ProviderFault("provider_down", false, "status 503"))],
  ["fails unexpectedly", () => Promise.reject(new TypeError("token abc"))],
  ["never responds", () => new Promise<void>(() => {})],
])("erases the credential even if the provider %s", async (_, before) => {
  const provider = aProvider();
  provider.before = before;
  const { id, owner } = await aWorkingAccount();
  await disconnect(owner, id);
  await tenSecondsPass(id);
  const said = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  expect(await eraseRemoved({ ...provider, timeoutMs: 50 })).toBe(1);
  const lines = said.mock.calls.join("\n");
  said.mockRestore();
  expect(lines).not.toContain("token abc");
  expect(await kept(id)).toBe(0);
});

test("erases credentials that cannot be decrypted or whose provider is not configured", async () => {
  const provider = aProvider();
  const [changed, orphan] = [await aWorkingAccount(), await aWorkingAccount()];
  await db.$executeRaw`UPDATE integration_secret SET sealed = '\\x00' WHERE integration_id = ${changed.id}`;
  for (const { id, owner } of [changed, orphan]) {
    await disconnect(owner, id);
    await tenSecondsPass(id);
  }
  await db.$executeRaw`UPDATE integration SET erase_at = now() + interval '1 hour' WHERE id = ${orphan.id}`;
  expect(await eraseRemoved(provider)).toBe(1);
  expect(provider.revoked).toEqual([]);
  await db.$executeRaw`UPDATE integration SET erase_at = now() - interval '1 second' WHERE id = ${orphan.id}`;
  const unset = () => {
    throw new ProviderFault("not_configured", false, "not set up");
  };
  expect(await eraseRemoved({ clientFor: unset })).toBe(1);
  expect([await kept(changed.id), await kept(orphan.id)]).toEqual([0, 0]);
});

test("erases an account after a killed instance's lease expires", async () => {
  const provider = aProvider();
  const { id, owner } = await aWorkingAccount();
  await disconnect(owner, id);
  await tenSecondsPass(id);
  await db.$executeRaw`UPDATE integration SET lease = 'dead', lease_until = now() + interval '60 seconds' WHERE id = ${id}`;
  expect(await eraseRemoved(provider)).toBe(0);
  await db.$executeRaw`UPDATE integration SET lease_until = now() - interval '1 second' WHERE id = ${id}`;
  expect(await eraseRemoved(provider)).toBe(1);
  expect(await kept(id)).toBe(0);
});

test("revokes the newest credential even during a renewal", async () => {
  const provider = aProvider();
  let open = () => {};
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  provider.before = () => gate;
  const { id, owner } = await aWorkingAccount();
  const round = keepAlive(provider);
  await eventually(() => expect(provider.uses.size).toBe(1));
  await disconnect(owner, id);
  await tenSecondsPass(id);
  expect(await eraseRemoved(provider)).toBe(0);
  open();
  await round;
  expect(await rowOf(id)).toMatchObject({ status: "disconnected", lease: null });
  expect(await eraseRemoved(provider)).toBe(1);
  expect(provider.revoked).toEqual([provider.given?.refreshToken]);
});

test("keeps an account that is relinked during its disconnection", async () => {
  const provider = aProvider();
  const early = await aWorkingAccount();
  await disconnect(early.owner, early.id);
  const again = await linkAgain(early);
  await db.integration.update({ where: { id: early.id }, data: { checkAt: null } });
  expect(await rowOf(early.id)).toMatchObject({ status: "connected", eraseAt: null });
  expect(await eraseRemoved(provider)).toBe(0);
  expect((await openCredential(db, early))?.credential).toEqual(again);

  const account = await aWorkingAccount({ due: false });
  await disconnect(account.owner, account.id);
  await tenSecondsPass(account.id);
  let anew: unknown;
  provider.before = async () => {
    anew ??= await linkAgain(account);
  };
  expect(await eraseRemoved(provider)).toBe(0);
  expect(provider.revoked).toHaveLength(1);
  expect((await openCredential(db, account))?.credential).toEqual(anew);
  expect(await rowOf(account.id)).toMatchObject({ status: "connected", eraseAt: null, lease: null });
  expect(await keepAlive(aProvider())).toBe(1);

  // The owner links the same account again much later.
  const late = await aWorkingAccount();
  await disconnect(late.owner, late.id);
  await tenSecondsPass(late.id);
  provider.before = async () => {};
  await eraseRemoved(provider);
  await linkAgain(late);
  expect(await rowOf(late.id)).toMatchObject({ status: "connected", disconnectedAt: null, statusReason: null });
});

test("keeps a credential for each account that is relinked during its erasure", async () => {
  const provider = aProvider();
  const accounts = await Promise.all(Array.from({ length: 20 }, () => aWorkingAccount()));
  for (const { id, owner } of accounts) {
    await disconnect(owner, id);
    await tenSecondsPass(id);
  }
  await Promise.all([eraseRemoved(provider), ...accounts.map((account) => linkAgain(account)), eraseRemoved(provider)]);
  for (const { id } of accounts) {
    expect(await rowOf(id)).toMatchObject({ status: "connected", eraseAt: null });
    expect(await kept(id)).toBe(1);
  }
});

test("prevents owners from removing or restoring another owner's account", async () => {
  const [{ id, owner }, other] = [await aWorkingAccount(), await anOwner()];
  await expect(disconnect(other, id)).rejects.toMatchObject({ status: 404 });
  await expect(disconnect(owner, "int_nonsense")).rejects.toMatchObject({ status: 404 });
  await disconnect(owner, id);
  await expect(undoDisconnect(other, id)).rejects.toMatchObject({ status: 404 });
  expect(await rowOf(id)).toMatchObject({ status: "disconnected" });
});

test("shows a removed account to apps for thirty days", async () => {
  const { owner, app } = await anAppWith("approvals:read");
  const { id } = await aWorkingAccount({ owner });
  const grant = await db.grant.findFirstOrThrow({ where: { ownerId: owner.ownerId } });
  await db.grantIntegration.create({ data: { ownerId: owner.ownerId, grantId: grant.id, integrationId: id } });
  await disconnect(owner, id);
  const seen = async () => JSON.parse((await listIntegrations({ ...app })).text).data;
  expect(await seen()).toMatchObject([{ id, status: "disconnected" }]);
  await db.$executeRaw`UPDATE integration SET disconnected_at = disconnected_at - interval '31 days' WHERE id = ${id}`;
  // An account that is not revoked yet must not be deleted.
  await atEveryShard(sweep);
  expect(await db.integration.count({ where: { id } })).toBe(1);
  await tenSecondsPass(id);
  await eraseRemoved(aProvider());
  expect(await seen()).toEqual([]);
  await atEveryShard(sweep);
  expect(await db.integration.count({ where: { id } })).toBe(0);
  expect(await db.grantIntegration.count({ where: { integrationId: id } })).toBe(0);
});

test("deletes an expired link attempt in the sweep", async () => {
  const { ownerId } = await anOwner();
  const attempt = { ownerId, sessionId: "s", provider: "google", sealed: Buffer.from("x") };
  const hours = (count: number) => new Date(Date.now() + count * 3_600_000);
  await db.linkAttempt.create({ data: { ...attempt, stateHash: Buffer.from("old"), expiresAt: hours(-2) } });
  await db.linkAttempt.create({ data: { ...attempt, stateHash: Buffer.from("new"), expiresAt: hours(1) } });
  await atEveryShard(sweep);
  const left = await db.linkAttempt.findMany({ where: { ownerId } });
  expect(left.map(({ stateHash }) => Buffer.from(stateHash).toString())).toEqual(["new"]);
});
