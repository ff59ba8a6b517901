import { afterAll, afterEach, beforeEach, expect, it } from "vitest";
import { sealedRows } from "@/lib/cli/all-encrypted-tables";
import { db, pool } from "@/lib/database/db";
import { checkKeys, deleteLostKeys } from "@/lib/keys/key-check";
import { rotateKeys } from "@/lib/keys/rotation";
import { redact } from "@/lib/log";
import { aHookedApp, sendingTo } from "@/lib/testing/app-with-webhook";
import { configure } from "@/lib/testing/change-settings";
import { leaked } from "@/lib/testing/find-secrets-in-text";
import { deliveriesOf, sendAll } from "@/lib/testing/send-due-webhooks";
import { aReceiver, verified } from "@/lib/testing/webhook-receiver";
import { sendTest } from "./deliveries";
import { rotateEndpointSecret, switchEndpoint } from "./endpoints";
import { countUndecryptableSecrets, removeUndecryptableSecrets } from "./undecryptable-secrets";

const receiver = await aReceiver();
const { SECRET } = process.env;
beforeEach(async () => {
  sendingTo([receiver.origin], "0");
  await db.webhookEndpoint.deleteMany();
});
afterEach(() => set({ SECRET: SECRET ?? "" }));
afterAll(() => receiver.close());
function set(settings: Record<string, string>) {
  configure(settings);
}

const hooked = (path: string) => aHookedApp(receiver.origin + path, { types: ["approval.resolved"] });
async function message(app: Awaited<ReturnType<typeof hooked>>, path: string) {
  await app.answer(await app.ask());
  await sendAll();
  return receiver.at(path).at(-1)!;
}
const count = (header: unknown) => String(header).split(" ").length;

it("signs with both secrets for a day after a secret rotation", async () => {
  const app = await hooked("/rotated");
  const { secret: second } = await rotateEndpointSecret(app.registrar, app.id);
  const both = await message(app, "/rotated");
  expect(count(both.headers["webhook-signature"])).toBe(2);
  for (const secret of [app.secret, second]) expect(verified(secret, both).type).toBe("approval.resolved");
  await db.$executeRaw`UPDATE webhook_secret SET retires_at = now() - interval '1 millisecond' WHERE endpoint_id = ${app.id} AND retires_at IS NOT NULL`;
  const alone = await message(app, "/rotated");
  expect(count(alone.headers["webhook-signature"])).toBe(1);
  expect(verified(second, alone).type).toBe("approval.resolved");
  expect(() => verified(app.secret, alone)).toThrow();
});

it("limits a message's signatures after many secret rotations", async () => {
  const app = await hooked("/often");
  let secret = "";
  for (let time = 0; time < 6; time++) ({ secret } = await rotateEndpointSecret(app.registrar, app.id));
  const sent = await message(app, "/often");
  expect(count(sent.headers["webhook-signature"])).toBe(4);
  expect(verified(secret, sent).type).toBe("approval.resolved");
});

it("stores and logs no secret in plain text", async () => {
  const app = await hooked("/kept");
  const { secret } = await rotateEndpointSecret(app.registrar, app.id);
  await message(app, "/kept");
  const { rows: tables } = await pool().query<{ name: string }>(
    "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public' AND table_type = 'BASE TABLE'",
  );
  let all = "";
  for (const { name } of tables) {
    const { rows } = await pool().query<{ text: string }>(`SELECT t::text AS text FROM "${name}" t`);
    all += rows.map(({ text }) => text).join("\n");
  }
  expect(all).toContain(app.id);
  expect(leaked(all, [secret.slice(6), app.secret.slice(6)])).toEqual([]);
  expect(redact(`said ${secret}.`)).toBe("said whsec_[redacted].");
});

it("re-encrypts webhook secrets in a key rotation", async () => {
  const app = await hooked("/resealed");
  const before = await db.dataKey.findMany({ where: { retiredAt: null } });
  const { keyId, resealed, unreadable } = await rotateKeys(sealedRows);
  expect([resealed > 0, unreadable]).toEqual([true, 0]);
  expect(keyId).not.toBe(before[0]?.id);
  expect(await db.webhookSecret.findMany({ where: { endpointId: app.id } })).toMatchObject([{ keyId }]);
  expect(await db.dataKey.findMany()).toMatchObject([{ id: keyId }]);
  expect(verified(app.secret, await message(app, "/resealed")).type).toBe("approval.resolved");
});

it("rejects a secret that was moved to another webhook's row", async () => {
  const [one, other] = [await hooked("/mine"), await hooked("/theirs")];
  await db.$executeRaw`DELETE FROM webhook_secret WHERE endpoint_id = ${other.id}`;
  await db.$executeRaw`UPDATE webhook_secret SET endpoint_id = ${other.id} WHERE endpoint_id = ${one.id}`;
  await other.answer(await other.ask());
  await sendAll();
  expect(receiver.at("/theirs")).toEqual([]);
  expect(await db.webhookEndpoint.findUnique({ where: { id: other.id } })).toMatchObject({ disabledReason: "secret" });
});

it("disables webhooks whose secrets cannot be decrypted", async () => {
  const app = await hooked("/given-up");
  set({ SECRET: "another-secret-0123456789abcdef0123456789abcdef" });
  await expect(checkKeys(sealedRows)).rejects.toThrow(/the secrets stored for one webhook with/);
  expect(await countUndecryptableSecrets()).toBe(1);
  expect(await removeUndecryptableSecrets()).toBe(1);
  await deleteLostKeys(sealedRows);
  await checkKeys(sealedRows);
  expect(await countUndecryptableSecrets()).toBe(0);
  expect(await db.webhookEndpoint.findUnique({ where: { id: app.id } })).toMatchObject({
    state: "disabled",
    disabledReason: "secret",
  });
  expect(await db.notification.count({ where: { ownerId: app.registrar.ownerId } })).toBe(1);
  const { secret } = await rotateEndpointSecret(app.registrar, app.id);
  await switchEndpoint(app.registrar, app.id, true);
  await sendAll();
  expect((await deliveriesOf(app.id)).length).toBe(0);
  // Sends a test instead of an event, because the app's tokens don't work with the new SECRET.
  await sendTest(app.registrar, app.id);
  await sendAll();
  expect(verified(secret, receiver.at("/given-up").at(-1)!).type).toBe("webhook.test");
});
