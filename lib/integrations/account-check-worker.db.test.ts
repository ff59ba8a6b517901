import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { db } from "@/lib/database/db";
import { inHomeOf } from "@/lib/database/shards/marks";
import { change } from "@/lib/events/change-transaction";
import { newId } from "@/lib/ids";
import { configure } from "@/lib/testing/change-settings";
import { keepAlive as keepAlivePerShard } from "@/lib/testing/chores";
import { eventually } from "@/lib/testing/eventually";
import { anOwner } from "@/lib/testing/factories";
import { aProvider, aWorkingAccount, makeDue, someTokens } from "@/lib/testing/working-linked-accounts";
import type * as chore from "./account-check-worker";
import { finishChecks, testNow as testNowInRequest } from "./account-check-worker";
import { lockAccount, recordOutcome } from "./account-status";
import { checkAccount } from "./check-account";
import { ProviderFault } from "./providers/provider";
import { destroyCredential, openCredential, storeCredential } from "./vault";

// Each test creates its own accounts, so those of earlier tests must not become due.
beforeEach(() => db.integration.updateMany({ data: { checkAt: null } }));

/**
 * The checks in progress, and the functions that open their gates. The checks end after each test,
 * because they could otherwise change the next test's accounts.
 */
let [rounds, gates, stopping] = [[] as Promise<unknown>[], [] as (() => void)[], new AbortController()];
afterEach(async () => {
  stopping.abort();
  for (const open of gates) open();
  await Promise.allSettled([...rounds, finishChecks()]);
  [rounds, gates, stopping] = [[], [], new AbortController()];
});
function keepAlive(how: Parameters<typeof chore.keepAlive>[0]) {
  const round = keepAlivePerShard({ stopping: stopping.signal, ...how });
  rounds.push(round);
  return round;
}

const testNow: typeof testNowInRequest = (owner, ...asked) =>
  inHomeOf(owner.ownerId, () => testNowInRequest(owner, ...asked));

const passing = new ProviderFault("provider_down", false, "status 503");
const final = new ProviderFault("invalid_grant", true, "invalid_grant");
const rowOf = (id: string) => db.integration.findUniqueOrThrow({ where: { id } });
const told = (ownerId: string) => db.notification.count({ where: { ownerId } });
/** Returns the seconds between the last check and the next one, by the database's clock. */
const pause = async (id: string) => {
  const { checkAt, checkedAt } = await rowOf(id);
  return ((checkAt?.getTime() ?? 0) - (checkedAt?.getTime() ?? 0)) / 1000;
};
/** Creates a gate. `passed` resolves once `open` is called. */
function gate() {
  let open = () => {};
  const passed = new Promise<void>((resolve) => {
    open = resolve;
  });
  gates.push(open);
  return { open, passed };
}

test("renews an account's due tokens only once", async () => {
  const provider = aProvider();
  const account = await aWorkingAccount();
  expect(await keepAlive(provider)).toBe(1);
  expect(await keepAlive(provider)).toBe(0);
  expect([...provider.uses.values()]).toEqual([1]);
  expect((await openCredential(db, account))?.credential).toEqual(provider.given);
  expect(await rowOf(account.id)).toMatchObject({ status: "connected", lease: null, leaseUntil: null, failures: 0 });
  // The token expires in an hour. Its renewal is due six minutes before that, or up to a tenth
  // earlier.
  expect(await pause(account.id)).toBeGreaterThan(48 * 60);
  expect(await pause(account.id)).toBeLessThan(54 * 60 + 1);
});

test("uses each refresh token only once in concurrent rounds of account checks", async () => {
  const provider = aProvider();
  provider.before = () => new Promise((resolve) => setTimeout(resolve, 20));
  const accounts = await Promise.all(Array.from({ length: 20 }, () => aWorkingAccount({ issuer: newId("req") })));
  const counts = await Promise.all([1, 2, 3, 4].map(() => keepAlive(provider)));
  expect(counts.reduce((sum, each) => sum + each, 0)).toBe(20);
  expect(provider.uses.size).toBe(20);
  expect(new Set(provider.uses.values())).toEqual(new Set([1]));
  for (const { id } of accounts) expect(await rowOf(id)).toMatchObject({ status: "connected", lease: null });
});

test("retries an unreachable provider with back-off", async () => {
  const provider = aProvider();
  provider.before = () => Promise.reject(passing);
  const { id, owner } = await aWorkingAccount();
  await keepAlive(provider);
  expect(await rowOf(id)).toMatchObject({ status: "connected", failures: 1, lease: null });
  expect(await pause(id)).toBeGreaterThanOrEqual(48);
  expect(await pause(id)).toBeLessThanOrEqual(72);
  await db.$executeRaw`UPDATE integration SET failing_since = failing_since - interval '6 minutes' WHERE id = ${id}`;
  await makeDue(id);
  await keepAlive(provider);
  expect(await rowOf(id)).toMatchObject({ status: "error", statusReason: "provider_down", failures: 2 });
  provider.before = async () => {};
  provider.uses.clear();
  await makeDue(id);
  await keepAlive(provider);
  expect(await rowOf(id)).toMatchObject({ status: "connected", statusReason: null, failures: 0 });
  expect(await told(owner.ownerId)).toBe(0);
});

test("honors the provider's Retry-After", async () => {
  const provider = aProvider();
  provider.before = () => Promise.reject(new ProviderFault("rate_limited", false, "status 429", 7200));
  const { id } = await aWorkingAccount();
  await keepAlive(provider);
  expect(await pause(id)).toBe(7200);
});

test("notifies the owner only once after the provider revokes access", async () => {
  const provider = aProvider();
  provider.before = () => Promise.reject(final);
  const { id, owner } = await aWorkingAccount();
  await Promise.all([keepAlive(provider), keepAlive(provider)]);
  expect(await rowOf(id)).toMatchObject({ status: "needs_reauth", statusReason: "invalid_grant", checkAt: null });
  expect(await told(owner.ownerId)).toBe(1);
  expect(await keepAlive(provider)).toBe(0);
});

test("retries an account's check after an unexpected error", async () => {
  const provider = aProvider();
  const { id, credential } = await aWorkingAccount();
  const secret = credential.kind === "oauth" ? credential.accessToken : "";
  provider.before = () => Promise.reject(new TypeError(`cannot read ${secret}`));
  const said = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  await keepAlive(provider);
  const lines = said.mock.calls.join("\n");
  said.mockRestore();
  expect(lines).toContain("TypeError");
  expect(lines).not.toContain(secret);
  expect(await rowOf(id)).toMatchObject({ status: "connected", failures: 1 });
});

test("records the lost access after a renewal that returns fewer scopes", async () => {
  configure({
    OIDC_PROVIDERS: JSON.stringify([
      {
        id: "corp",
        name: "Corp",
        issuer: "https://corp.example",
        clientId: "c",
        scopes: { "mail.read": ["mail:read"] },
      },
    ]),
  });
  const provider = aProvider();
  const { id, owner } = await aWorkingAccount({ provider: "corp" });
  await db.integration.update({
    where: { id },
    data: { scopes: ["openid", "mail:read"], buckets: ["identity", "mail"] },
  });
  provider.scopes = ["openid"];
  await keepAlive(provider);
  expect(await rowOf(id)).toMatchObject({ scopes: ["openid"], buckets: ["identity"], status: "connected" });
  const events = await db.event.findMany({ where: { ownerId: owner.ownerId, type: "integration.access_changed" } });
  expect(events).toMatchObject([{ subject: id, data: { provider: "corp", added: [], removed: ["mail.read"] } }]);
  await makeDue(id);
  await keepAlive(provider);
  expect(await db.event.count({ where: { ownerId: owner.ownerId, type: "integration.access_changed" } })).toBe(1);
});

test("checks an account again after a killed instance's lease expires", async () => {
  const provider = aProvider();
  const { id } = await aWorkingAccount();
  await db.$executeRaw`
    UPDATE integration SET lease = 'dead', lease_until = now() + interval '60 seconds', check_at = now() + interval '60 seconds'
    WHERE id = ${id}`;
  expect(await keepAlive(provider)).toBe(0);
  await db.$executeRaw`
    UPDATE integration SET lease_until = lease_until - interval '61 seconds', check_at = check_at - interval '61 seconds'
    WHERE id = ${id}`;
  expect(await keepAlive(provider)).toBe(1);
  expect(await rowOf(id)).toMatchObject({ status: "connected", lease: null });
});

test("asks the owner only once to reconnect after a renewed token is lost", async () => {
  const provider = aProvider();
  const { id, owner, credential } = await aWorkingAccount();
  // Uses up the refresh token, like an instance that died before it stored the new one.
  await provider
    .clientFor()
    .check(credential, { renew: true, account: {} as never, signal: AbortSignal.timeout(1000) });
  await keepAlive(provider);
  expect(await rowOf(id)).toMatchObject({ status: "needs_reauth", statusReason: "invalid_grant" });
  expect(await told(owner.ownerId)).toBe(1);
});

test("stores new tokens even after the check's lease expires", async () => {
  const [slow, other] = [aProvider(), aProvider()];
  const [answer, verdict] = [gate(), gate()];
  slow.before = () => answer.passed;
  other.before = () => verdict.passed.then(() => Promise.reject(final));
  const account = await aWorkingAccount();
  const first = keepAlive(slow);
  await eventually(() => expect(slow.uses.size).toBe(1));
  await db.$executeRaw`UPDATE integration SET lease_until = now() - interval '1 second', check_at = now() - interval '1 second' WHERE id = ${account.id}`;
  const second = keepAlive(other);
  await eventually(() => expect(other.uses.size).toBe(1));
  answer.open();
  await first;
  verdict.open();
  await second;
  expect((await openCredential(db, account))?.credential).toEqual(slow.given);
  expect(await rowOf(account.id)).toMatchObject({ status: "connected", lease: null });
  expect(await told(account.ownerId)).toBe(0);
});

test.each([
  ["that another check replaced", false, undefined],
  ["that another check replaced", false, final],
  ["that the owner replaced", true, undefined],
  ["that the owner replaced", true, final],
])("ignores the outcome of a check with tokens %s", async (_, linked, verdict) => {
  const provider = aProvider();
  const answer = gate();
  provider.before = () => answer.passed.then(() => (verdict ? Promise.reject(verdict) : undefined));
  const account = await aWorkingAccount();
  const looking = keepAlive(provider);
  await eventually(() => expect(provider.uses.size).toBe(1));
  const again = someTokens();
  await change({ ownerId: account.ownerId }, async (tx) => {
    const row = await lockAccount(tx, account.id);
    await destroyCredential(tx, account);
    await storeCredential(tx, account, again);
    if (linked) await recordOutcome(tx, row!, { kind: "linked", credential: again });
  });
  answer.open();
  await looking;
  expect((await openCredential(db, account))?.credential).toEqual(again);
  expect(await rowOf(account.id)).toMatchObject({ status: "connected", failures: 0, lease: null });
  // A check of the new credential is scheduled.
  expect((await rowOf(account.id)).checkAt).not.toBeNull();
  expect(await told(account.ownerId)).toBe(0);
});

test("stores tokens from a provider's late response", async () => {
  const provider = aProvider();
  const answer = gate();
  provider.before = () => answer.passed;
  const account = await aWorkingAccount();
  await keepAlive({ ...provider, timeoutMs: 50 });
  expect(await rowOf(account.id)).toMatchObject({ failures: 1, lease: null });
  answer.open();
  await eventually(async () =>
    expect((await openCredential(db, account))?.credential).toEqual(provider.given ?? "nothing yet"),
  );
  await eventually(async () => expect(await rowOf(account.id)).toMatchObject({ failures: 0 }));
});

test("prevents a slow provider from delaying other accounts", async () => {
  const provider = aProvider();
  const answer = gate();
  const owner = await anOwner();
  const slow = await Promise.all(
    Array.from({ length: 12 }, () => aWorkingAccount({ owner, issuer: "https://slow.example" })),
  );
  const quick = await aWorkingAccount({ owner, issuer: "https://quick.example" });
  const slowTokens = new Set(slow.map(({ credential }) => credential.kind === "oauth" && credential.refreshToken));
  provider.before = async ({ refreshToken }) => {
    if (slowTokens.has(refreshToken ?? "")) await answer.passed;
  };
  const looking = keepAlive(provider);
  await eventually(async () => expect((await rowOf(quick.id)).refreshedAt).not.toEqual(null));
  await eventually(async () => expect((await openCredential(db, quick))?.credential).toEqual(provider.given));
  const begun = () => [...provider.uses.keys()].filter((token) => slowTokens.has(token));
  await eventually(() => expect(begun()).toHaveLength(8));
  // An account that becomes due during the slow checks is not delayed either.
  const later = await aWorkingAccount({ owner, issuer: "https://later.example" });
  await eventually(async () =>
    expect((await rowOf(later.id)).checkAt?.getTime()).toBeGreaterThan(Date.now() + 120_000),
  );
  expect(begun()).toHaveLength(8);
  answer.open();
  expect(await looking).toBe(14);
});

test("completes running account checks before stopping", async () => {
  const provider = aProvider();
  const answer = gate();
  provider.before = () => answer.passed;
  const owner = await anOwner();
  await Promise.all(Array.from({ length: 10 }, () => aWorkingAccount({ owner, issuer: "https://one.example" })));
  const looking = keepAlive(provider);
  await eventually(() => expect(provider.uses.size).toBe(8));
  stopping.abort();
  answer.open();
  expect(await looking).toBe(8);
});

test("asks the owner to reconnect an account whose credential cannot be decrypted", async () => {
  const provider = aProvider();
  const [changed, locked] = [await aWorkingAccount(), await aWorkingAccount()];
  await db.$executeRaw`
    UPDATE integration_secret SET sealed = set_byte(sealed, 20, get_byte(sealed, 20) # 1) WHERE integration_id = ${changed.id}`;
  const { keyId } = await db.integrationSecret.findUniqueOrThrow({ where: { integrationId: locked.id } });
  const key = await db.dataKey.findUniqueOrThrow({ where: { id: keyId } });
  await db.dataKey.create({ data: { ...key, id: newId("key"), wrappedBy: "gone", retiredAt: new Date() } });
  await db.$executeRaw`
    UPDATE integration_secret SET key_id = (SELECT id FROM data_key WHERE wrapped_by = 'gone') WHERE integration_id = ${locked.id}`;
  expect(await keepAlive(provider)).toBe(2);
  expect(provider.uses.size).toBe(0);
  expect(await rowOf(changed.id)).toMatchObject({ status: "needs_reauth", statusReason: "credential_unreadable" });
  expect(await told(changed.ownerId)).toBe(1);
  expect(await rowOf(locked.id)).toMatchObject({ status: "connected", failures: 1 });
  await db.integrationSecret.update({ where: { integrationId: locked.id }, data: { keyId } });
  await makeDue(locked.id);
  await keepAlive(provider);
  expect(await rowOf(locked.id)).toMatchObject({ status: "connected", failures: 0 });
});

test("ignores an account without a credential", async () => {
  const { ownerId, ...owner } = await anOwner();
  const id = newId("int");
  await db.integration.create({
    data: { id, ownerId, provider: "google", issuer: "i", subject: "s", email: "old@example.com" },
  });
  expect(await keepAlive(aProvider())).toBe(0);
  expect(await testNow({ ...owner, ownerId }, id, aProvider())).toEqual({ status: "connected", waiting: false });
  expect(await rowOf(id)).toMatchObject({ checkedAt: null, lease: null });
});

test("checks a connected account on request without renewing its credential", async () => {
  const provider = aProvider();
  const { id, owner } = await aWorkingAccount({ due: false });
  expect(await testNow(owner, id, provider)).toEqual({ status: "connected", waiting: false });
  expect(provider.uses.size).toBe(0);
  const checked = (await rowOf(id)).checkedAt;
  expect(Date.now() - (checked?.getTime() ?? 0)).toBeLessThan(60_000);
  // A second call within seconds returns the outcome of the same check.
  await testNow(owner, id, { clientFor: () => Promise.reject(final) as never });
  expect((await rowOf(id)).checkedAt).toEqual(checked);

  const waiting = await aWorkingAccount({ due: false });
  await change({ ownerId: waiting.ownerId }, async (tx) => {
    const row = await lockAccount(tx, waiting.id);
    await recordOutcome(tx, row!, { kind: "failed", fault: final });
  });
  await db.$executeRaw`UPDATE integration SET checked_at = NULL WHERE id = ${waiting.id}`;
  expect(await testNow(waiting.owner, waiting.id, provider)).toEqual({ status: "connected", waiting: false });
  expect(provider.uses.size).toBe(1);
});

test("returns from a requested check before a slow provider responds", async () => {
  const provider = aProvider();
  const answer = gate();
  provider.before = () => answer.passed;
  const { id, owner } = await aWorkingAccount({ due: false });
  expect(await testNow(owner, id, provider)).toEqual({ status: "connected", waiting: true });
  expect(await rowOf(id)).toMatchObject({ lease: expect.any(String) });
  // No second check begins in the meantime.
  await makeDue(id);
  expect(await keepAlive(provider)).toBe(0);
  answer.open();
  await eventually(async () => expect(await rowOf(id)).toMatchObject({ lease: null }));
});

test("returns the outcome of a running check to a caller who requests another check", async () => {
  const provider = aProvider();
  const answer = gate();
  provider.before = () => answer.passed.then(() => Promise.reject(final));
  const { id, owner } = await aWorkingAccount();
  const round = keepAlive(provider);
  await eventually(() => expect(provider.uses.size).toBe(1));
  const asked = testNow(owner, id, provider);
  answer.open();
  expect(await asked).toEqual({ status: "needs_reauth", waiting: false });
  await round;
  expect(provider.uses.size).toBe(1);
});

test("rejects a check of another owner's account", async () => {
  const [{ id }, other] = [await aWorkingAccount(), await anOwner()];
  await expect(testNow(other, id, aProvider())).rejects.toMatchObject({ status: 404 });
  await expect(testNow(other, "int_nonsense", aProvider())).rejects.toMatchObject({ status: 404 });
});

test("ends a check without an error if the account is deleted", async () => {
  const account = await aWorkingAccount();
  const leased = { ...account, issuer: "i", subject: "s", email: "e", name: null, lease: "mine" };
  await db.integration.delete({ where: { id: account.id } });
  await expect(checkAccount(leased, { ...aProvider(), renew: true })).resolves.toBeUndefined();
});
