import { expect, test } from "vitest";
import { addChannel } from "@/lib/alerts/channels/channels";
import { resolveApproval, submitApproval } from "@/lib/approvals/approvals";
import { addToApproval } from "@/lib/approvals/thread/additions";
import { askClarification } from "@/lib/approvals/thread/clarifications";
import { reportOutcome } from "@/lib/approvals/thread/report-outcome";
import { getApp } from "@/lib/apps/apps";
import { db, pool } from "@/lib/database/db";
import { updateAppPreferences } from "@/lib/grants/app-preferences";
import { getGrant } from "@/lib/grants/grants";
import { newId } from "@/lib/ids";
import { pushNotification } from "@/lib/notifications/notifications";
import { anyOwner } from "@/lib/owners/find-accounts";
import { createOwner, signIn } from "@/lib/owners/owners";
import { makeRecoveryCodes } from "@/lib/owners/recovery-codes";
import { createSession, sessionOwner } from "@/lib/owners/sessions";
import { changeSettings } from "@/lib/owners/settings";
import { anApp, anAppWith, anOwner, aTokenFor } from "@/lib/testing/factories";
import { deleteOwner } from "./account-deletion";

const ask = { question: "Ship it?", options: [{ id: "yes", label: "Yes" }] };

/** Returns the number of this owner's rows in each table. */
async function rowsOf(ownerId: string): Promise<Record<string, number>> {
  const { rows: tables } = await pool().query<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.columns JOIN information_schema.tables t
        USING (table_schema, table_name)
      WHERE t.table_type = 'BASE TABLE' AND table_schema = 'public' AND column_name = 'owner_id'
        AND NOT (SELECT relispartition FROM pg_class WHERE oid = table_name::regclass)`,
  );
  const counts: Record<string, number> = {};
  for (const { name } of tables) {
    const { rows } = await pool().query(`SELECT count(*)::int AS n FROM ${name} WHERE owner_id = $1`, [ownerId]);
    if (rows[0].n > 0) counts[name] = rows[0].n;
  }
  return counts;
}

async function anOwnerWithEverything() {
  const { owner, app, clientId, token } = await anAppWith("approvals:write", "approvals:read", "notifications:write");
  const { id } = await submitApproval({ ...app, needs: "approvals:write" }, ask);
  await askClarification(owner, id, "Why?");
  await addToApproval({ ...app, needs: "approvals:write" }, id, { text: "Because" });
  await resolveApproval(owner, id, { kind: "option", optionId: "yes" });
  await reportOutcome({ ...app, needs: "approvals:write" }, id, { status: "done" });
  await submitApproval({ ...app, needs: "approvals:write" }, ask);
  await pushNotification({ ...app, needs: "notifications:write" }, { title: "Done", body: "", type: "x", data: {} });
  await changeSettings(owner, { theme: "dark" });
  await updateAppPreferences(owner, clientId, { questionsMuted: true });
  await makeRecoveryCodes(owner);
  await addChannel(owner, "slack", { url: "https://hooks.example/services/x" });
  const { id: session } = await createSession(
    { ownerId: owner.ownerId, sessionVersion: 1 },
    { method: "password", userAgent: "", address: "127.0.0.1" },
  );
  await db.integration.create({
    data: {
      id: newId("int"),
      ownerId: owner.ownerId,
      provider: "google",
      issuer: "g",
      subject: owner.ownerId,
      email: "work@acme.example",
      buckets: ["identity"],
      scopes: [],
    },
  });
  return { owner, clientId, token, session };
}

test("deletes all data of an owner except the activity log", async () => {
  const { owner, clientId, session } = await anOwnerWithEverything();
  const stays = await anOwnerWithEverything();
  const before = await rowsOf(stays.owner.ownerId);
  expect(Object.keys(await rowsOf(owner.ownerId)).length).toBeGreaterThan(8);
  await deleteOwner(owner, { email: ` ${owner.email.toUpperCase()} ` });
  expect(Object.keys(await rowsOf(owner.ownerId))).toEqual(["event"]);
  expect(await db.owner.findUnique({ where: { id: owner.ownerId } })).toBeNull();
  expect(await db.app.findUnique({ where: { id: clientId } })).toBeNull();
  expect(await sessionOwner(owner.ownerId, 1, session)).toBeNull();
  expect(await rowsOf(stays.owner.ownerId)).toEqual(before);
  const attempt = signIn({ email: owner.email, password: owner.password, address: "192.0.2.9" });
  await expect(attempt).rejects.toMatchObject({ status: 401 });
  const last = await db.event.findFirst({ where: { ownerId: owner.ownerId }, orderBy: { id: "desc" } });
  expect(last?.type).toBe("owner.deleted");
  expect(JSON.stringify(await db.event.findMany({ where: { ownerId: owner.ownerId } }), asText)).not.toContain("@");
  // The email can be used again.
  await createOwner({ email: owner.email, name: "Robin", password: "fifteen characters and more" });
  expect(await anyOwner()).toBe(true);
});

const asText = (_: string, value: unknown) => (typeof value === "bigint" ? String(value) : value);

test("keeps the names of a deleted owner's apps for other owners", async () => {
  const owner = await anOwner();
  const { clientId, name } = await anApp(owner);
  const unused = await anApp(owner);
  const other = await anOwner();
  const { app } = await aTokenFor(other, clientId, ["approvals:write"]);
  const { id } = await submitApproval({ ...app, needs: "approvals:write" }, ask);
  await deleteOwner(owner, { email: owner.email });
  await expect(submitApproval({ ...app, needs: "approvals:write" }, ask)).rejects.toMatchObject({ status: 401 });
  await expect(getGrant(other, clientId)).rejects.toMatchObject({ status: 404 });
  await expect(getApp(other, clientId)).rejects.toMatchObject({ status: 404 });
  const kept = await db.app.findUniqueOrThrow({ where: { id: clientId } });
  expect(kept).toMatchObject({ name, ownerId: null, secretHash: null, redirectUris: [] });
  expect(await db.app.findUnique({ where: { id: unused.clientId } })).toBeNull();
  await resolveApproval(other, id, { kind: "option", optionId: "yes" });
  const told = await db.event.findFirst({ where: { ownerId: other.ownerId, type: "grant.revoked" } });
  expect(told?.data).toEqual({ deleted: true });
});

test("requires the account's email before deleting an account", async () => {
  const { owner } = await anOwnerWithEverything();
  const before = await rowsOf(owner.ownerId);
  await expect(deleteOwner(owner, { email: "else@example.com" })).rejects.toMatchObject({ status: 400 });
  expect(await rowsOf(owner.ownerId)).toEqual(before);
  const both = await Promise.allSettled([
    deleteOwner(owner, { email: owner.email }),
    deleteOwner(owner, { email: owner.email }),
  ]);
  expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  expect(await db.event.count({ where: { ownerId: owner.ownerId, type: "owner.deleted" } })).toBe(1);
});

test("ends sessions that begin during an account deletion", async () => {
  const { owner } = await anOwnerWithEverything();
  const opening = () =>
    createSession(
      { ownerId: owner.ownerId, sessionVersion: 1 },
      { method: "password", userAgent: "", address: "127.0.0.1" },
    ).catch(() => undefined);
  await Promise.all([deleteOwner(owner, { email: owner.email }), ...Array.from({ length: 4 }, opening)]);
  expect(Object.keys(await rowsOf(owner.ownerId))).toEqual(["event"]);
});
