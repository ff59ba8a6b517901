import { randomBytes } from "node:crypto";
import { encode } from "next-auth/jwt";
import { afterEach, beforeEach, expect, test } from "vitest";
import { addDevice, checkInDevice } from "@/lib/alerts/devices";
import { emailFreezePath, isEmailFreezeLink } from "@/lib/alerts/email-freeze";
import { emailOffPath, isEmailOffLink } from "@/lib/alerts/email-unsubscribe";
import { alertOf } from "@/lib/alerts/one-tap-answer";
import { vapidKeys } from "@/lib/alerts/push";
import { resolveApproval, submitApproval } from "@/lib/approvals/approvals";
import { findClient } from "@/lib/apps/apps";
import { matchingSecret } from "@/lib/apps/client-secrets";
import { db, pool } from "@/lib/database/db";
import { inService } from "@/lib/database/shards/marks";
import { hasSeveralShards } from "@/lib/database/shards/shard-map";
import { eventId, readEventId } from "@/lib/event-feed/event-id";
import { newHomedId, newId, newOwnerId } from "@/lib/ids";
import { openFormValues, sealFormValues } from "@/lib/integrations/mail/mail-form";
import { openCredential } from "@/lib/integrations/vault";
import { retainKeys, sign, unseal } from "@/lib/keys/crypto";
import { createFirstDataKey } from "@/lib/keys/data-keys";
import { checkKeys } from "@/lib/keys/key-check";
import { lastRotation } from "@/lib/keys/retained-keys";
import { tokenFamilyId } from "@/lib/oauth/token-issuance";
import { userCodeFor } from "@/lib/oauth/user-code";
import { networkOf } from "@/lib/oauth/warn-of-token-sharing";
import { isKnownDevice, issueDeviceCookie } from "@/lib/owners/device-cookie";
import { isSetupToken, setupLink } from "@/lib/owners/first-account-setup";
import { keyOf } from "@/lib/owners/fixed-window-limiter";
import { makeRecoveryCodes, signInWithRecoveryCode } from "@/lib/owners/recovery-codes";
import { createSession } from "@/lib/owners/sessions";
import { issueReceipt } from "@/lib/receipts/receipts";
import { startFront } from "@/lib/testing/api-server";
import { configure } from "@/lib/testing/change-settings";
import { anApp, anAppWith, anOwner } from "@/lib/testing/factories";
import { aQuestion } from "@/lib/testing/sample-question";
import { aWorkingAccount } from "@/lib/testing/working-linked-accounts";
import { ownerOfCookie, sessionClaims, sessionSecret } from "@/lib/web/session-cookie";
import { sealedRows } from "./all-encrypted-tables";
import { checkSecret } from "./secret-check";
import { replaceSecretCommand, rotateSecretCommand } from "./secret-command";

const { SECRET = "" } = process.env;
const { ask } = await startFront();
const [former, next, third] = ["former", "next", "third"].map((name) => name.padEnd(40, name)) as [
  string,
  string,
  string,
];

/** Simulates the start of an instance with these settings, like `prepareStartup`. */
async function start(secret: string, previous = "") {
  configure({ SECRET: secret, SECRET_PREVIOUS: previous });
  retainKeys(new Map());
  await inService(() => checkSecret("SECRET"));
  if (hasSeveralShards()) await createFirstDataKey();
}

const rotate = async () =>
  (await rotateSecretCommand.run({ one: () => undefined, all: () => [], has: () => false }, [])).json;

beforeEach(async () => {
  await pool().query("TRUNCATE secret_check, retained_key, receipt_key, integration_secret, data_key CASCADE");
});
afterEach(() => {
  configure({ SECRET, SECRET_PREVIOUS: "" });
  retainKeys(new Map());
});

const openings = { method: "password", userAgent: "", address: "192.0.2.1" } as const;
const aSession = (ownerId: string) => createSession({ ownerId, sessionVersion: 1 }, openings);

/** A value that stays the same, for `lasting`. */
const same = (read: () => unknown) => () => {
  const before = JSON.stringify(read());
  return () => JSON.stringify(read()) === before;
};

/**
 * Creates a value that depends on the secret.
 * @returns a function that returns whether the value still works
 */
type Make = () => (() => boolean | Promise<boolean>) | Promise<() => boolean | Promise<boolean>>;

/** Values that work permanently. */
const lasting: Record<string, Make> = {
  "an access token": async () => {
    const { token } = await anAppWith("approvals:read");
    return async () => (await ask("GET", "/api/approvals", { token })).status === 200;
  },
  "a client secret": async () => {
    const { clientId, clientSecret } = await anApp();
    return async () => {
      const client = await findClient(clientId);
      return client !== null && matchingSecret(client, clientSecret) === "current";
    };
  },
  "recovery codes": async () => {
    const owner = await anOwner();
    const { codes } = await makeRecoveryCodes(owner);
    const { email } = owner;
    return () =>
      signInWithRecoveryCode({ email, code: codes.pop() ?? "", address: randomBytes(4).join(".") }).then(
        () => true,
        () => false,
      );
  },
  "a browser's push subscription": async () => {
    const { ownerId } = await anOwner();
    const { id: session } = await aSession(ownerId);
    const owner = { kind: "owner", ownerId, session } as const;
    const device = { endpoint: `https://push.example.com/${newId("psh")}`, p256dh: p256dh(), auth: auth() };
    await addDevice(owner, device, "");
    return async () => {
      const { id, sealed } = await db.pushSubscription.findFirstOrThrow({ where: { ownerId } });
      const opened = await Promise.resolve()
        .then(() => unseal("push-subscription", sealed, id))
        .catch(() => "");
      return opened.includes(device.endpoint) && (await checkInDevice(owner, device));
    };
  },
  "a linked account's credential": async () => {
    const account = await aWorkingAccount({ due: false });
    return async () => (await openCredential(db, account)) !== undefined;
  },
  "the receipt key": async () => {
    const { app, owner } = await anAppWith("approvals:write", "approvals:read");
    const { id } = await submitApproval(app, aQuestion);
    await resolveApproval(owner, id, { kind: "option", optionId: "ship" });
    const before = await issueReceipt(app, id);
    return async () => (await issueReceipt(app, id)) === before;
  },
  "an event's ID": async () => {
    const id = eventId({ tx: "7", id: "9" });
    return () => readEventId(id)?.tx === "7" && eventId({ tx: "7", id: "9" }) === id;
  },
  "the key for push services": same(vapidKeys),
  "a device's user code": same(() => userCodeFor("dev_1")),
  "a token family's ID": same(() => tokenFamilyId("code")),
  "a network's hash": same(() => networkOf("192.0.2.0")),
  "a rate limit's key": same(() => keyOf("sign-in", "olive@example.com")),
};

/** Values that work while their secret is SECRET or SECRET_PREVIOUS. */
const temporary: Record<string, Make> = {
  "a session": async () => {
    const { ownerId } = await anOwner();
    const { id: session } = await aSession(ownerId);
    const cookie = await encode({
      token: sessionClaims({ ownerId, sessionVersion: 1, session }),
      secret: sessionSecret(),
    });
    return async () => (await ownerOfCookie(cookie))?.session === session;
  },
  "a link that turns off email": async () => {
    const { ownerId } = await anOwner();
    const key = new URL(await emailOffPath(ownerId), "http://localhost").searchParams.get("key") ?? "";
    return () => isEmailOffLink(ownerId, key);
  },
  "a link that freezes all apps": async () => {
    const { ownerId } = await anOwner();
    const key = new URL(await emailFreezePath(ownerId), "http://localhost").searchParams.get("key") ?? "";
    return () => isEmailFreezeLink(ownerId, key);
  },
  "an alert's ticket": () => {
    const about = [newHomedId("alt", { ownerId: newOwnerId() }), newId("psh"), "hash"].join(".");
    const ticket = `${about}.${sign("alert answer", about)}`;
    return () => alertOf(ticket) !== undefined;
  },
  "a known browser": () => {
    const owner = { ownerId: newOwnerId(), sessionVersion: 1 };
    const cookie = issueDeviceCookie("", owner);
    return () => isKnownDevice(cookie, owner);
  },
  "the setup link": () => {
    const token = new URL(setupLink()).searchParams.get("token") ?? "";
    return () => isSetupToken(token);
  },
  "a mail form": () => {
    const owner = { kind: "owner", ownerId: newOwnerId() } as const;
    const sealed = sealFormValues(owner, { email: "olive@example.com" } as never);
    return () => "email" in openFormValues(owner, sealed);
  },
};

const p256dh = () => `B${randomBytes(64).toString("base64url")}`.slice(0, 87);
const auth = () => randomBytes(16).toString("base64url");

async function makeAll(makes: Record<string, Make>) {
  const made = new Map<string, () => boolean | Promise<boolean>>();
  for (const [name, make] of Object.entries(makes)) made.set(name, await make());
  return made;
}
async function failing(...all: Awaited<ReturnType<typeof makeAll>>[]) {
  const names: string[] = [];
  for (const made of all) for (const [name, works] of made) if (!(await works())) names.push(name);
  return names;
}

test("keeps everything working during an overlap, and what lasts permanently", async () => {
  await start(former);
  const [before, beforeTemporary] = [await makeAll(lasting), await makeAll(temporary)];

  // Two instances during a rolling restart: one still creates values with the former secret.
  await start(next, former);
  const [during, duringTemporary] = [await makeAll(lasting), await makeAll(temporary)];
  expect(await failing(before, beforeTemporary)).toEqual([]);
  // An instance that has only the former secret accepts tokens from the other instance.
  await start(former);
  const known = ["an access token", "a client secret", "recovery codes", "an event's ID"];
  expect(await failing(new Map([...during].filter(([name]) => known.includes(name))))).toEqual([]);
  await start(former, next);
  const [late, lateTemporary] = [await makeAll(lasting), await makeAll(temporary)];
  expect(await failing(before, beforeTemporary, during, duringTemporary)).toEqual([]);

  await start(next, former);
  expect(await rotate()).toEqual({ rotated: true, dataKeys: 1, browsers: 2, receiptKey: true });
  expect(await failing(before, beforeTemporary, during, duringTemporary, late, lateTemporary)).toEqual([]);
  expect(await rotate()).toEqual({ rotated: false, dataKeys: 0, browsers: 0, receiptKey: false });

  await start(next);
  await checkKeys(sealedRows);
  expect(await failing(before, during, late, duringTemporary)).toEqual([]);
  const ended = Object.keys(temporary);
  expect(await failing(beforeTemporary)).toEqual(ended);
  expect(await failing(lateTemporary)).toEqual(ended);

  await start(third, next);
  await rotate();
  await start(third);
  expect(await failing(before, during, late)).toEqual([]);
  expect(await failing(duringTemporary)).toEqual(ended);
});

test("accepts only the secret that the database depends on, or both secrets", async () => {
  await start(former);
  await anOwner();
  const refuses = async (secret: string, previous: string, message: string) => {
    await expect(start(secret, previous)).rejects.toThrow(message);
  };
  await refuses(next, "", "SECRET does not match this database");
  await refuses(next, third, "SECRET and SECRET_PREVIOUS do not match this database");
  await start(former, next);
  await start(next, former);
  await refuses(next, "", "SECRET does not match this database");
  await start(next, former);
  await rotate();
  await refuses(former, "", "SECRET does not match this database");
  await start(former, next);
  await start(next);
});

test("invalidates tokens after a replacement without an overlap", async () => {
  await start(former);
  const works = await (lasting["an access token"] as Make)();
  await start(next, former);
  await rotate();
  configure({ SECRET: third, SECRET_PREVIOUS: "" });
  const given = { one: () => undefined, all: () => [], has: () => true };
  expect((await replaceSecretCommand.run(given, [])).json).toEqual({ replaced: true });
  await start(third);
  expect(await works()).toBe(false);
  const { rows } = await pool().query("SELECT FROM retained_key");
  expect(rows).toEqual([]);
});

test("rejects a rotation without SECRET_PREVIOUS, a replacement with it, and equal secrets", async () => {
  await start(former);
  await expect(rotate()).rejects.toThrow("SECRET_PREVIOUS is not set. On every instance, set SECRET");
  configure({ SECRET: next, SECRET_PREVIOUS: former });
  const given = { one: () => undefined, all: () => [], has: () => true };
  await expect(replaceSecretCommand.run(given, [])).rejects.toThrow("SECRET_PREVIOUS is set");
  await expect(start(former, former)).rejects.toThrow("SECRET_PREVIOUS must differ from SECRET");
});

test("records no rotation while the database depends on SECRET", async () => {
  await start(former);
  await start(former, next);
  const works = await (lasting["an access token"] as Make)();
  expect(await rotate()).toMatchObject({ rotated: false });
  expect(await lastRotation()).toBeUndefined();
  await start(next, former);
  expect(await rotate()).toMatchObject({ rotated: true });
  const rotated = await lastRotation();
  expect(rotated).toBeInstanceOf(Date);
  expect(await rotate()).toMatchObject({ rotated: false });
  expect(await lastRotation()).toEqual(rotated);
  expect(await works()).toBe(true);
});

test("stores retained keys only in encrypted form", async () => {
  await start(former);
  await start(next, former);
  await rotate();
  const { privateKey } = vapidKeys();
  const { rows } = await pool().query("SELECT purpose, sealed FROM retained_key ORDER BY purpose");
  expect(rows.map(({ purpose }) => purpose)).toContain("vapid");
  const bytes = Buffer.from(privateKey, "base64url");
  for (const { sealed } of rows) expect(sealed.includes(bytes)).toBe(false);
  expect(() => unseal("retained-keys", rows[0].sealed, "another purpose")).toThrow();
});

test("requires the recorded secret for an overlap", async () => {
  await start(former);
  await anOwner();
  await pool().query("DELETE FROM secret_check");
  await expect(start(next, former)).rejects.toThrow("This database has not recorded the secret that it depends on");
  await start(former);
  await start(next, former);
});
