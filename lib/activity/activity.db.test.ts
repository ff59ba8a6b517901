import { beforeAll, describe, expect, it } from "vitest";
import type { OwnerActor } from "@/lib/actor";
import { resolveApproval, submitApproval } from "@/lib/approvals/approvals";
import { db, pool } from "@/lib/database/db";
import { type ActivityFilter, ActivityPage } from "@/lib/events/activity-schema";
import { deleteApp } from "@/lib/grants/delete-app";
import { revokeGrant } from "@/lib/grants/grants";
import { revokeScope } from "@/lib/grants/revoke-scope";
import { pushNotification } from "@/lib/notifications/notifications";
import { createSession } from "@/lib/owners/sessions";
import { anApp, anAppWith, anOwner, aTokenFor } from "@/lib/testing/factories";
import { aQuestion } from "@/lib/testing/sample-question";
import { exportActivity, readActivity } from "./activity";

const typesIn = async (owner: OwnerActor, filter: ActivityFilter = {}) =>
  (await readActivity(owner, filter)).items.map(({ type }) => type);

/** Creates `count` events for an owner. */
const fill = (ownerId: string, count: number, type = "owner.signed_in") =>
  db.$executeRaw`
    INSERT INTO event (owner_id, type, subject) SELECT ${ownerId}, ${type}, ${ownerId} FROM generate_series(1, ${count}::int)`;

describe("owner activity", () => {
  let owner: Awaited<ReturnType<typeof anAppWith>>["owner"];
  let it1: Awaited<ReturnType<typeof anAppWith>>;
  let approvalId: string;
  beforeAll(async () => {
    it1 = await anAppWith("approvals:write", "approvals:resolve", "notifications:write");
    owner = it1.owner;
    const needing = (needs: "approvals:write" | "notifications:write") => ({ ...it1.app, needs });
    approvalId = (await submitApproval(needing("approvals:write"), aQuestion)).id;
    await pushNotification(needing("notifications:write"), { title: "Done" });
    await resolveApproval(owner, approvalId, { kind: "option", optionId: "ship" });
    await revokeScope(owner, it1.clientId, "approvals:resolve");
    const entrance = { ownerId: owner.ownerId, sessionVersion: 1 };
    await createSession(entrance, { method: "password", userAgent: "", address: "" });
  });

  it("lists events with their actor, sentence and link, newest first", async () => {
    const page = await readActivity(owner);
    expect(ActivityPage.parse(page)).toEqual(page);
    expect(page.next).toBeUndefined();
    expect(page.items.map(({ actor, sentence, href }) => [actor, sentence, href])).toEqual([
      ["you", "You signed in", "/settings/security"],
      ["you", "You revoked {app}’s permission to answer its own questions without you", `/apps/${it1.clientId}`],
      ["you", "You answered a question from {app}", `/approvals/${approvalId}`],
      ["app", "{app} sent you a notification", `/notifications?app=${it1.clientId}`],
      ["app", "{app} asked you a question", `/approvals/${approvalId}`],
      ["you", "You created a token for {app}", `/apps/${it1.clientId}`],
      [
        "you",
        "You allowed {app} to ask you questions, send you notifications, and answer its own questions without you",
        `/apps/${it1.clientId}`,
      ],
      ["you", "You registered {app}", `/developer/${it1.clientId}`],
    ]);
    const [first] = page.items;
    expect(Math.abs((first?.at ?? 0) - Date.now())).toBeLessThan(60_000);
    for (const { app, type } of page.items) {
      if (type !== "owner.signed_in") expect(app).toEqual({ appId: it1.clientId, name: it1.name });
    }
  });

  it("filters events by kind, app, subject and day", async () => {
    expect(await typesIn(owner, { kind: "answers" })).toEqual(["approval.resolved", "approval.submitted"]);
    expect(await typesIn(owner, { kind: "permissions" })).toEqual(["grant.changed", "grant.changed"]);
    expect(await typesIn(owner, { kind: "trouble" })).toEqual([]);
    expect(await typesIn(owner, { subject: approvalId })).toEqual(["approval.resolved", "approval.submitted"]);
    expect(await typesIn(owner, { appId: it1.clientId, kind: "sign-ins" })).toEqual([]);
    expect(await typesIn(owner, { appId: (await anApp(owner)).clientId })).toEqual(["app.registered"]);
    const [{ today, tomorrow, yesterday }] = await db.$queryRaw<[Record<string, string>]>`
      SELECT to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS today,
        to_char(now() AT TIME ZONE 'UTC' + interval '1 day', 'YYYY-MM-DD') AS tomorrow,
        to_char(now() AT TIME ZONE 'UTC' - interval '1 day', 'YYYY-MM-DD') AS yesterday`;
    expect(await typesIn(owner, { from: today, to: today, kind: "sign-ins" })).toEqual(["owner.signed_in"]);
    expect(await typesIn(owner, { from: tomorrow })).toEqual([]);
    expect(await typesIn(owner, { to: yesterday })).toEqual([]);
  });

  it("ignores invalid activity filters", async () => {
    const all = (await typesIn(owner)).length;
    const odd = {
      appId: "' OR true",
      kind: "everything",
      subject: "%",
      from: "yesterday",
      to: "0000-01-01",
      before: "-1",
    };
    expect((await typesIn(owner, odd as unknown as ActivityFilter)).length).toBe(all);
  });

  it("hides other owners' events", async () => {
    const other = await anOwner();
    expect(await typesIn(other)).toEqual([]);
    expect(await typesIn(other, { appId: it1.clientId })).toEqual([]);
    expect(await typesIn(other, { subject: approvalId })).toEqual([]);
    const [last] = (await readActivity(owner)).items;
    expect(await typesIn(other, { before: `${Number(last?.id) + 1}` })).toEqual([]);
    for await (const items of exportActivity(other)) expect(items).toEqual([]);
    // Two owners use the same app, and each sees only their own events.
    await aTokenFor(other, it1.clientId, ["approvals:read"]);
    expect(await typesIn(other)).toEqual(["token.created", "grant.changed"]);
    expect((await readActivity(other)).items[0]?.app?.name).toBe(it1.name);
  });
});

it("pages through events without gaps or duplicates while new events arrive", async () => {
  const owner = await anOwner();
  await fill(owner.ownerId, 120);
  const seen: string[] = [];
  let before: string | undefined;
  for (const expected of [50, 50, 20]) {
    const { items, next } = await readActivity(owner, { ...(before && { before }) });
    expect(items).toHaveLength(expected);
    seen.push(...items.map(({ id }) => id));
    before = next;
    await fill(owner.ownerId, 3);
  }
  expect(before).toBeUndefined();
  expect(new Set(seen).size).toBe(120);
  expect(seen.map(Number)).toEqual(seen.map(Number).sort((a, b) => b - a));
});

it("exports every matching event in batches of 500", async () => {
  const owner = await anOwner();
  await fill(owner.ownerId, 1203);
  const sizes: number[] = [];
  for await (const items of exportActivity(owner, { kind: "sign-ins" })) sizes.push(items.length);
  expect(sizes).toEqual([500, 500, 203]);
});

it("shows a disconnected or deleted app's name without a link", async () => {
  const { owner, clientId, name } = await anAppWith("approvals:read");
  await revokeGrant(owner, clientId);
  const [revoked] = (await readActivity(owner)).items;
  expect(revoked).toMatchObject({ type: "grant.revoked", app: { name } });
  expect(revoked?.href).toBeUndefined();
  const other = await anOwner();
  await aTokenFor(other, clientId, ["approvals:read"]);
  await deleteApp(owner, clientId);
  expect((await readActivity(owner)).items[0]).toMatchObject({ sentence: "You deleted {app}", app: { name } });
  expect((await readActivity(other)).items[0]).toMatchObject({
    actor: "service",
    sentence: "{app} was deleted and lost all access",
  });
  for (const { href } of (await readActivity(owner, { kind: "apps" })).items) expect(href).toBeUndefined();
});

it("finds events of rare types through an index", async () => {
  const owner = await anOwner();
  await fill(owner.ownerId, 2);
  await fill(owner.ownerId, 20_000, "approval.submitted");
  await pool().query("ANALYZE event");
  const { rows } = await pool().query<{ "QUERY PLAN": string }>(
    `EXPLAIN SELECT id FROM event e WHERE e.owner_id = '${owner.ownerId}' AND e.type IN ('owner.signed_in', 'owner.signed_out')
      AND e.type NOT IN ('approval.submitted', 'approval.resolved', 'notification.pushed', 'notification.read')
      ORDER BY e.id DESC LIMIT 51`,
  );
  expect(rows.map((row) => row["QUERY PLAN"]).join("\n")).toMatch(/event_(\w+rare|first_owner_id_id_idx1)/);
  expect(await typesIn(owner, { kind: "sign-ins" })).toEqual(["owner.signed_in", "owner.signed_in"]);
});
