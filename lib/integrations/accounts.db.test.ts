import { randomBytes } from "node:crypto";
import { expect, it } from "vitest";
import { readActivity } from "@/lib/activity/activity";
import { db } from "@/lib/database/db";
import { revokeGrant } from "@/lib/grants/grants";
import { shareWith } from "@/lib/grants/linked-account-sharing";
import { createPersonalToken } from "@/lib/grants/personal-tokens";
import { readLiveCounts } from "@/lib/live-counts/live-counts";
import { anApp, anAppWith, anOwner } from "@/lib/testing/factories";
import { aLinkedAccount, removed } from "@/lib/testing/linked-account-rows";
import { linkedAccount, linkedAccounts, pendingLinks } from "./accounts";
import { renameAccount } from "./rename-account";

const googles = (...names: string[]) => names.map((name) => `https://www.googleapis.com/auth/${name}`);

it("lists accounts that require the owner's attention at the top", async () => {
  const owner = await anOwner();
  const works = await aLinkedAccount(owner, { label: "Work", failures: 1, checkAt: new Date(5e12) });
  const later = await aLinkedAccount(owner);
  const tries = await aLinkedAccount(owner, { status: "error", checkAt: new Date(4e12) });
  const broken = await aLinkedAccount(owner, { status: "needs_reauth", statusReason: "invalid_grant" });
  const older = await aLinkedAccount(owner, removed(20));
  const gone = await aLinkedAccount(owner, { ...removed(2), eraseAt: new Date(Date.now() - 1000) });
  const over = await aLinkedAccount(owner, removed(31));
  const theirs = await aLinkedAccount(await anOwner());
  const accounts = await linkedAccounts(owner);
  expect(accounts.map(({ id }) => id)).toEqual([broken, tries, works, later, gone, older]);
  expect(accounts.map(({ undoMs }) => undoMs)).toEqual(accounts.map(() => undefined));
  expect(accounts[0]).toMatchObject({
    why: expect.stringContaining("access to this account was revoked or has expired"),
    provider: "google",
    providerName: "Google",
  });
  expect(accounts[1]).toMatchObject({ nextTryAt: 4e12, failing: true });
  expect(accounts[2]).toMatchObject({ label: "Work", kind: "oauth", seenBy: [], failing: true, nextTryAt: 5e12 });
  expect(accounts[3]).toMatchObject({ failing: false });
  for (const id of [over, theirs, "int_none", "%"]) {
    await expect(linkedAccount(owner, id)).rejects.toMatchObject({ status: 404 });
  }
  expect((await linkedAccount(owner, gone)).removedAt).toBeGreaterThan(0);
  expect((await readLiveCounts({ ...owner, session: "none" })).broken).toBe(1);
});

it("shows each account's granted and missing access", async () => {
  const owner = await anOwner();
  const id = await aLinkedAccount(owner, {
    scopes: ["openid", ...googles("gmail.readonly", "no.such.thing")],
    buckets: ["mail", "identity"],
    asked: ["mail.read", "calendar.read", "junk"],
  });
  const account = await linkedAccount(owner, id);
  expect(account).toMatchObject({ buckets: ["identity", "mail"], granted: ["mail.read"], missing: ["calendar.read"] });
  expect(account.asks).toEqual(["mail.read", "calendar.read"]);
  expect(account.scopes).toEqual([
    { scope: "openid", gives: [] },
    { scope: googles("gmail.readonly")[0], gives: ["mail.read"] },
    { scope: googles("no.such.thing")[0], gives: [] },
  ]);
  expect(account.offers).toContain("calendar.write");
});

it("does not request access that the provider no longer offers", async () => {
  const owner = await anOwner();
  await aLinkedAccount(owner, { provider: "github", asked: ["files.read"] });
  expect(await linkedAccounts(owner)).toMatchObject([{ missing: [], asks: [] }]);
});

it("lists accounts of a provider that the operator removed", async () => {
  const owner = await anOwner();
  await aLinkedAccount(owner, { provider: "corp", scopes: ["openid", "mail:read"], asked: ["mail.read"] });
  const nothing = { granted: [], missing: [], asks: [] };
  expect(await linkedAccounts(owner)).toMatchObject([{ providerName: "corp", ready: false, ...nothing }]);
});

it("lists the connected apps that see each account", async () => {
  const { owner, clientId, name } = await anAppWith("approvals:read");
  const other = await anApp(owner);
  await createPersonalToken(owner, { clientId: other.clientId, scopes: ["approvals:read"] });
  const id = await aLinkedAccount(owner);
  await shareWith(owner, clientId, id, true);
  const { seenBy, apps } = await linkedAccount(owner, id);
  expect(seenBy).toEqual([{ appId: clientId, name }]);
  expect(apps.toSorted((a, b) => Number(b.sees) - Number(a.sees))).toEqual([
    { appId: clientId, name, sees: true },
    { appId: other.clientId, name: other.name, sees: false },
  ]);
  await revokeGrant(owner, clientId);
  await db.$executeRaw`UPDATE app_grant SET expires_at = now() - interval '1 second' WHERE app_id = ${other.clientId}`;
  expect(await linkedAccount(owner, id)).toMatchObject({ seenBy: [], apps: [] });
});

it("reports the time left to restore an account before its erasure", async () => {
  const owner = await anOwner();
  const id = await aLinkedAccount(owner, { ...removed(), eraseAt: new Date(Date.now() + 8_000) });
  const { undoMs } = await linkedAccount(owner, id);
  expect(undoMs).toBeGreaterThan(0);
  expect(undoMs).toBeLessThanOrEqual(8_000);
});

it("shows the account name that the owner or the provider chose", async () => {
  const owner = await anOwner();
  const id = await aLinkedAccount(owner);
  const label = async () => (await linkedAccount(owner, id)).label;
  await renameAccount(owner, id, "  Work 🌿 ");
  await renameAccount(owner, id, "Work 🌿");
  expect(await label()).toBe("Work 🌿");
  await renameAccount(owner, id, "é".repeat(40));
  for (const bad of ["x".repeat(41), "two\nlines", "turned \u202eround", "half \ud800"]) {
    await expect(renameAccount(owner, id, bad)).rejects.toMatchObject({ status: 400, details: [{ path: "label" }] });
  }
  expect(await label()).toBe("é".repeat(40));
  await renameAccount(owner, id, " ");
  expect(await label()).toBeUndefined();
  const { items } = await readActivity(owner, { subject: id });
  expect(items.map(({ sentence }) => sentence)).toEqual([
    "You removed the name of your Google account",
    `You renamed your Google account to ${"é".repeat(40)}`,
    "You renamed your Google account to Work 🌿",
  ]);
  const gone = await aLinkedAccount(owner, removed());
  for (const other of [gone, await aLinkedAccount(await anOwner()), "int_none"]) {
    await expect(renameAccount(owner, other, "Mine")).rejects.toMatchObject({ status: 404 });
  }
});

it("shows an account's current name in the activity log", async () => {
  const owner = await anOwner();
  const id = await aLinkedAccount(owner, { email: "olive@work.example" });
  await renameAccount(owner, id, "Work");
  const last = async () => (await readActivity(owner)).items[0];
  expect(await last()).toMatchObject({ about: "Work", href: `/integrations/${id}` });
  await renameAccount(owner, id, "");
  expect(await last()).toMatchObject({ about: "olive@work.example" });
  await db.integration.update({ where: { id }, data: removed(31) });
  const after = await last();
  expect(after?.about).toBeUndefined();
  expect(after?.href).toBe("/integrations");
});

it("shows the owner's open link attempt until the attempt expires", async () => {
  const owner = await anOwner();
  const set = (minutesAgo: number, provider: string, used = false) => db.$executeRaw`
    INSERT INTO link_attempt (state_hash, owner_id, session_id, provider, sealed, created_at, expires_at, used_at)
    VALUES (${randomBytes(32)}, ${owner.ownerId}, 'ses_x', ${provider}, '', now() - make_interval(mins => ${minutesAgo}::int),
      now() + make_interval(mins => ${10 - minutesAgo}::int), CASE WHEN ${used} THEN now() END)`;
  expect(await pendingLinks(owner)).toBeUndefined();
  await set(11, "google");
  expect(await pendingLinks(owner)).toBeUndefined();
  await set(5, "google");
  await set(4, "github");
  expect(await pendingLinks(owner)).toMatchObject({ provider: "github", providerName: "GitHub" });
  await set(3, "github", true);
  expect(await pendingLinks(owner)).toMatchObject({ provider: "google", providerName: "Google" });
  expect(await pendingLinks(await anOwner())).toBeUndefined();
});
