import { generateKeyPairSync } from "node:crypto";
import { isoCBOR } from "@simplewebauthn/server/helpers";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readActivity } from "@/lib/activity/activity";
import { plainSentence } from "@/lib/activity/activity-export";
import { db, pool } from "@/lib/database/db";
import { removePasskey } from "@/lib/owners/passkeys/passkeys";
import { publicKeyJwk } from "@/lib/owners/passkeys/public-key-jwk";
import { startFront } from "@/lib/testing/api-server";
import { configure } from "@/lib/testing/change-settings";
import { anApp, anAppWith, aTokenFor } from "@/lib/testing/factories";
import { aMailbox } from "@/lib/testing/fake-mail-server";
import { aPasskeyFor } from "@/lib/testing/sign-answers";
import type { OwnerKeys } from "./schema";

const { ask } = await startFront();
let mailbox: Awaited<ReturnType<typeof aMailbox>>;
beforeAll(async () => {
  mailbox = await aMailbox();
  configure({ SMTP_URL: mailbox.url, MAIL_FROM: "Countersign <yes@acme.example>" });
});
afterAll(() => mailbox.close());

const keys = async (token: string) => {
  const reply = await ask("GET", "/api/owner/keys", { token });
  expect([reply.status, reply.text]).toEqual([200, expect.any(String)]);
  return reply.body as OwnerKeys;
};

test("lists the owner's current and removed keys", async () => {
  const { owner, token } = await anAppWith("approvals:read");
  const about = { owner: owner.ownerId, rpId: "localhost", origins: ["http://localhost:3000"] };
  expect(await keys(token)).toEqual({ ...about, keys: [] });
  const [first, second] = [await aPasskeyFor(owner, "One", { synced: true }), await aPasskeyFor(owner, "Two")];
  await aPasskeyFor((await anAppWith("approvals:read")).owner);
  await removePasskey(owner, first.id);
  const { keys: listed } = await keys(token);
  const jwk = (device: typeof first) => ({ ...device.publicKey.export({ format: "jwk" }), alg: "ES256" });
  expect(listed).toEqual([
    {
      credentialId: first.id,
      publicKey: jwk(first),
      synced: true,
      since: expect.any(Number),
      until: expect.any(Number),
    },
    { credentialId: second.id, publicKey: jwk(second), synced: false, since: expect.any(Number) },
  ]);
  expect(listed[0]?.until).toBeGreaterThanOrEqual(listed[0]?.since ?? Infinity);
  await pool().query("UPDATE passkey SET synced = NULL WHERE id = $1", [second.id]);
  expect((await keys(token)).keys[1]).not.toHaveProperty("synced");
  const { token: other } = await aTokenFor(owner, (await anApp(owner)).clientId, ["approvals:write"]);
  expect((await ask("GET", "/api/owner/keys", { token: other })).status).toBe(403);
});

test("notifies apps and the owner of added and removed keys", async () => {
  const { owner, token, clientId } = await anAppWith("approvals:read");
  const { clientId: otherId } = await anApp(owner);
  const { token: blind } = await aTokenFor(owner, otherId, ["notifications:read"]);
  const { id } = await aPasskeyFor(owner, "Phone");
  await removePasskey(owner, id);
  const events = async (of: string) =>
    ((await ask("GET", "/api/events?wait=2", { token: of })).body as { data: { type: string; data: object }[] }).data
      .filter(({ type }) => type === "owner.keys_changed")
      .map(({ data }) => data);
  await expect
    .poll(() => events(token))
    .toEqual([
      { credentialId: id, change: "added" },
      { credentialId: id, change: "removed" },
    ]);
  expect(await events(blind)).toEqual([]);
  expect(await db.event.count({ where: { ownerId: owner.ownerId, appId: clientId, type: "owner.keys_changed" } })).toBe(
    2,
  );
  const { items } = await readActivity(owner, {});
  expect(items.map(plainSentence).filter((it) => /passkey/.test(it))).toEqual([
    "You removed the passkey Phone",
    "You added the passkey Phone",
  ]);
  const letters = () => mailbox.letters.filter(({ to }) => to.includes(owner.email));
  await expect
    .poll(() => letters().map(({ text }) => /The passkey .*/.exec(text)?.[0]))
    .toEqual(
      expect.arrayContaining([
        "The passkey “Phone” was added to your account at http://localhost:3000.",
        "The passkey “Phone” was removed from your account at http://localhost:3000.",
      ]),
    );
});

const coseKey = (entries: [number, number | Uint8Array][]) => isoCBOR.encode(new Map(entries));
const raw = (text = "") => new Uint8Array(Buffer.from(text, "base64url"));

test("converts the keys of every passkey algorithm", () => {
  const ed = generateKeyPairSync("ed25519").publicKey.export({ format: "jwk" });
  const okp = coseKey([
    [1, 1],
    [3, -8],
    [-1, 6],
    [-2, raw(ed.x)],
  ]);
  expect(publicKeyJwk(okp)).toEqual({ ...ed, alg: "EdDSA" });
  const rsa = generateKeyPairSync("rsa", { modulusLength: 2048 }).publicKey.export({ format: "jwk" });
  const rs = coseKey([
    [1, 3],
    [3, -257],
    [-1, raw(rsa.n)],
    [-2, raw(rsa.e)],
  ]);
  expect(publicKeyJwk(rs)).toEqual({ ...rsa, alg: "RS256" });
  const p384 = coseKey([
    [1, 2],
    [3, -35],
    [-1, 2],
    [-2, new Uint8Array(48)],
    [-3, new Uint8Array(48)],
  ]);
  expect(() => publicKeyJwk(p384)).toThrow("unknown algorithm -35");
});
