import { expect, it } from "vitest";
import { submitApproval } from "@/lib/approvals/approvals";
import { db } from "@/lib/database/db";
import type { ActivityFilter } from "@/lib/events/activity-schema";
import { pushNotification } from "@/lib/notifications/notifications";
import { anAppWith, anOwner } from "@/lib/testing/factories";
import { aQuestion } from "@/lib/testing/sample-question";
import { searchReach } from "@/lib/text/record-search";
import { exportActivity, readActivity } from "./activity";

const someone = async () => {
  const made = await anAppWith("approvals:write", "notifications:write");
  const { owner, app } = made;
  const ask = (question: string) => submitApproval({ ...app, needs: "approvals:write" }, { ...aQuestion, question });
  const push = (title: string) => pushNotification({ ...app, needs: "notifications:write" }, { title });
  const found = async (text: string, filter: ActivityFilter = {}) =>
    (await readActivity(owner, { ...filter, text })).items.map(({ type, about }) => about ?? type);
  return { ...made, ask, push, found };
};

it("includes a question's first 200 characters or a notification's title in an event", async () => {
  const { owner, ask, push } = await someone();
  await ask(`Ship ${"very ".repeat(100)}soon?`);
  await push("Backup finished");
  const [pushed, asked] = (await readActivity(owner)).items;
  expect(pushed?.about).toBe("Backup finished");
  expect(asked?.about).toHaveLength(200);
  expect(asked?.about).toMatch(/^Ship very very/);
});

it("finds events by words in any displayed field, regardless of case", async () => {
  const { found, ask, push, name, clientId } = await someone();
  const { id } = await ask("Ship build 418 to Zürich?");
  await push("Backup finished");
  expect(await found("ZÜRICH 418")).toEqual(["Ship build 418 to Zürich?"]);
  expect(await found("418 zagreb")).toEqual([]);
  expect(await found(id)).toEqual(["Ship build 418 to Zürich?"]);
  expect(await found(id.slice(4, 20))).toEqual(["Ship build 418 to Zürich?"]);
  expect(await found("sent you")).toEqual(["Backup finished"]);
  expect(await found("you")).toHaveLength(5);
  expect(await found("you", { kind: "notifications" })).toEqual(["Backup finished"]);
  expect(await found(name.toUpperCase())).toHaveLength(5);
  expect(await found(clientId, { kind: "apps" })).toEqual(["app.registered"]);
  expect(await found("approvals:write")).toContain("grant.changed");
  // Percent signs and underscores in the search text match only themselves.
  for (const text of ["%", "_____", "\\", "'; --", "[a-z]+", "\u0000"]) expect(await found(text)).toEqual([]);
  expect(await found("  ")).toHaveLength(5);
  expect(await found("x".repeat(5000))).toEqual([]);
});

it("pages through matching events without gaps or duplicates", async () => {
  const { owner } = await someone();
  await db.$executeRaw`INSERT INTO event (owner_id, type, subject)
    SELECT ${owner.ownerId}, CASE WHEN g % 3 = 0 THEN 'owner.signed_out' ELSE 'owner.signed_in' END, ${owner.ownerId}
    FROM generate_series(1, 360) g`;
  const seen: string[] = [];
  let before: string | undefined;
  for (const expected of [50, 50, 20]) {
    const { items, next, reached } = await readActivity(owner, { text: "signed out", ...(before && { before }) });
    expect(items).toHaveLength(expected);
    expect(reached).toBeUndefined();
    seen.push(...items.map(({ id }) => id));
    before = next;
  }
  expect(before).toBeUndefined();
  expect(new Set(seen).size).toBe(120);
  const sizes: number[] = [];
  for await (const items of exportActivity(owner, { text: "signed out" })) sizes.push(items.length);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(120);
});

it("resumes a search that stopped at its scan limit", async () => {
  const owner = await anOwner();
  const fill = (type: string, count: number) => db.$executeRaw`
    INSERT INTO event (owner_id, type, subject) SELECT ${owner.ownerId}, ${type}, ${owner.ownerId} FROM generate_series(1, ${count}::int)`;
  await fill("owner.password_changed", 1);
  await fill("owner.signed_in", searchReach + 5);
  const first = await readActivity(owner, { text: "password" });
  expect(first.items).toEqual([]);
  expect(Math.abs((first.reached ?? 0) - Date.now())).toBeLessThan(60_000);
  const second = await readActivity(owner, { text: "password", ...(first.next && { before: first.next }) });
  expect(second.items.map(({ type }) => type)).toEqual(["owner.password_changed"]);
  expect(second.next).toBeUndefined();
});

it("searches only the owner's events", async () => {
  const { found, ask } = await someone();
  await ask("Mine alone?");
  const other = await anOwner();
  expect((await readActivity(other, { text: "mine" })).items).toEqual([]);
  expect(await found("mine")).toHaveLength(1);
});

it("filters events by day in the owner's time zone", async () => {
  const owner = await anOwner();
  await db.$executeRaw`INSERT INTO event (owner_id, type, subject, created_at)
    VALUES (${owner.ownerId}, 'owner.signed_in', ${owner.ownerId}, '2026-03-01T23:30:00Z')`;
  const on = async (day: string, timeZone: string) =>
    (await readActivity(owner, { from: day, to: day }, { timeZone })).items.length;
  expect([await on("2026-03-01", "UTC"), await on("2026-03-02", "UTC")]).toEqual([1, 0]);
  expect([await on("2026-03-01", "Asia/Tokyo"), await on("2026-03-02", "Asia/Tokyo")]).toEqual([0, 1]);
});
