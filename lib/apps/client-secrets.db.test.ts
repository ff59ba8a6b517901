import { expect, it } from "vitest";
import { db } from "@/lib/database/db";
import { authenticateClient } from "@/lib/oauth/client-authentication";
import { anApp } from "@/lib/testing/factories";
import { findClient, getApp } from "./apps";
import { matchingSecret, recordSecretUse, revokePreviousSecret, rotateSecret } from "./client-secrets";

const kindOf = async (clientId: string, secret: string) => {
  const client = await findClient(clientId);
  return client && matchingSecret(client, secret);
};
const authenticate = (client_id: string, client_secret: string) =>
  authenticateClient(new Request("http://localhost/oauth/token"), new URLSearchParams({ client_id, client_secret }));

it("accepts both secrets for 24 hours after a rotation", async () => {
  const { owner, clientId, clientSecret } = await anApp();
  const { clientSecret: next, oldUntil } = await rotateSecret(owner, clientId);
  expect(oldUntil - Date.now()).toBeGreaterThan(23.9 * 3_600_000);
  expect(oldUntil - Date.now()).toBeLessThan(24.1 * 3_600_000);
  expect(await kindOf(clientId, next)).toBe("current");
  expect(await kindOf(clientId, clientSecret)).toBe("old");
  expect(await getApp(owner, clientId)).toMatchObject({
    secretLast4: next.slice(-4),
    oldSecret: { last4: clientSecret.slice(-4), until: oldUntil },
  });
  await db.app.update({ where: { id: clientId }, data: { oldSecretUntil: new Date(Date.now() - 1000) } });
  expect(await kindOf(clientId, clientSecret)).toBeUndefined();
  expect((await getApp(owner, clientId)).oldSecret).toBeUndefined();
});

it("revokes the oldest secret at the second rotation if the second secret was used", async () => {
  const { owner, clientId, clientSecret } = await anApp();
  const second = await rotateSecret(owner, clientId);
  await authenticate(clientId, second.clientSecret);
  const third = await rotateSecret(owner, clientId);
  expect(third.oldLast4).toBe(second.clientSecret.slice(-4));
  expect(await kindOf(clientId, clientSecret)).toBeUndefined();
  expect(await kindOf(clientId, second.clientSecret)).toBe("old");
  expect(await kindOf(clientId, third.clientSecret)).toBe("current");
});

it("replaces an unused secret at the next rotation", async () => {
  const { owner, clientId, clientSecret } = await anApp();
  await authenticate(clientId, clientSecret);
  const { secretUsedAt: usedAt } = await getApp(owner, clientId);
  const second = await rotateSecret(owner, clientId);
  const third = await rotateSecret(owner, clientId);
  expect(third).toMatchObject({ oldLast4: clientSecret.slice(-4), oldUntil: second.oldUntil });
  expect(await kindOf(clientId, clientSecret)).toBe("old");
  expect(await kindOf(clientId, second.clientSecret)).toBeUndefined();
  expect(await kindOf(clientId, third.clientSecret)).toBe("current");
  expect(await getApp(owner, clientId)).toMatchObject({ oldSecret: { last4: clientSecret.slice(-4), usedAt } });
  // The deployed secret has ended. The current secret is kept, because it may just have been
  // deployed.
  await db.app.update({ where: { id: clientId }, data: { oldSecretUntil: new Date(Date.now() - 1000) } });
  const fourth = await rotateSecret(owner, clientId);
  expect(fourth.oldUntil).toBeGreaterThan(third.oldUntil);
  expect(await kindOf(clientId, clientSecret)).toBeUndefined();
  expect(await kindOf(clientId, third.clientSecret)).toBe("old");
});

it("attributes no use of the old secret to the new secret after a rotation", async () => {
  const { owner, clientId } = await anApp();
  const before = await findClient(clientId);
  await rotateSecret(owner, clientId);
  await recordSecretUse(before!, "current");
  expect((await getApp(owner, clientId)).secretUsedAt).toBeUndefined();
});

it("returns 404 for a revocation without a valid previous secret", async () => {
  const { owner, clientId, clientSecret } = await anApp();
  await expect(revokePreviousSecret(owner, clientId)).rejects.toMatchObject({ status: 404 });
  await rotateSecret(owner, clientId);
  await authenticate(clientId, clientSecret);
  await revokePreviousSecret(owner, clientId);
  await expect(authenticate(clientId, clientSecret)).rejects.toMatchObject({ error: "invalid_client" });
  await expect(revokePreviousSecret(owner, clientId)).rejects.toMatchObject({ status: 404 });
  const events = await db.event.findMany({ where: { appId: clientId, type: "app.changed" }, orderBy: { id: "asc" } });
  expect(events.map(({ data }) => data)).toEqual([{ changed: "secret" }, { changed: "old secret" }]);
});

it("records the last use of each secret after a rotation", async () => {
  const { owner, clientId, clientSecret } = await anApp();
  expect((await getApp(owner, clientId)).secretUsedAt).toBeUndefined();
  await authenticate(clientId, clientSecret);
  const used = (await getApp(owner, clientId)).secretUsedAt;
  expect(Math.abs((used ?? 0) - Date.now())).toBeLessThan(5000);
  const { clientSecret: next } = await rotateSecret(owner, clientId);
  expect(await getApp(owner, clientId)).toMatchObject({ oldSecret: { usedAt: used } });
  expect((await getApp(owner, clientId)).secretUsedAt).toBeUndefined();
  await authenticate(clientId, next);
  expect((await getApp(owner, clientId)).secretUsedAt).toBeGreaterThanOrEqual(used ?? 0);
  await expect(authenticate(clientId, `${next.slice(0, -1)}_`)).rejects.toMatchObject({ error: "invalid_client" });
});
