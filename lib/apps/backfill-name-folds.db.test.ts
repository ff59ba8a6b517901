import { beforeEach, expect, test } from "vitest";
import { db } from "@/lib/database/db";
import { describeRequestingApp } from "@/lib/grants/requesting-app";
import { anApp, anOwner } from "@/lib/testing/factories";
import { registerApp } from "./apps";
import { backfillNameFolds } from "./backfill-name-folds";
import { readClientMetadata } from "./client-metadata";
import { registerClient } from "./dynamic-client-registration";

/** Two names whose letters look alike. */
const [latin, greek] = ["NOTION", "ΝΟΤΙΟΝ"];
/** Creates an app as the previous release stored it. That release folded Ν like v. */
async function fromBefore(name: string, registrar?: Awaited<ReturnType<typeof anOwner>>) {
  const registered = async () => String((await registerClient(readClientMetadata(request("Before")))).client_id);
  const id = registrar ? (await anApp(registrar)).clientId : await registered();
  const nameSkeleton = name === greek ? "votlov" : "notlon";
  await db.app.update({ where: { id }, data: { name, nameSkeleton, nameFolded: null } });
  return id;
}
const warns = async (owner: Awaited<ReturnType<typeof anOwner>>, id: string) => {
  const app = await db.app.findUniqueOrThrow({ where: { id } });
  return (await describeRequestingApp(owner, app, undefined)).namesake;
};
const request = (client_name: string) => ({ client_name, redirect_uris: ["https://app.example/cb"] });

beforeEach(async () => {
  await db.app.updateMany({ data: { deletedAt: new Date() } });
});

test("rejects a Greek name in capitals that resembles a Latin name", async () => {
  const owner = await anOwner();
  await registerApp(owner, { name: latin });
  await expect(registerApp(owner, { name: greek })).rejects.toMatchObject({ status: 409 });
});

test("warns on the consent page about a self-registered Greek look-alike", async () => {
  const owner = await anOwner();
  const { client_id } = await registerClient(readClientMetadata(request(greek)));
  expect(await warns(owner, String(client_id))).toBe(false);
  await registerApp(owner, { name: latin });
  expect(await warns(owner, String(client_id))).toBe(true);
  const { client_id: later } = await registerClient(readClientMetadata(request(greek)));
  expect(await warns(owner, String(later))).toBe(true);
});

test("treats names that differ only in case as similar", async () => {
  const owner = await anOwner();
  await registerApp(owner, { name: "Δοκιμή" });
  await expect(registerApp(owner, { name: "ΔΟΚΙΜΗ" })).rejects.toMatchObject({ status: 409 });
});

test("detects look-alikes among existing apps after the backfill", async () => {
  const owner = await anOwner();
  const [byHand, imitation] = [await fromBefore(latin, owner), await fromBefore(greek)];
  expect(await warns(owner, imitation)).toBe(false);
  expect((await Promise.all([backfillNameFolds(), backfillNameFolds()])).every((folded) => folded >= 0)).toBe(true);
  expect(await warns(owner, imitation)).toBe(true);
  expect(await backfillNameFolds()).toBe(0);
  expect((await db.app.findUniqueOrThrow({ where: { id: byHand } })).nameSkeleton).toBe("notlon");
});

test("keeps two existing apps with similar names", async () => {
  const owner = await anOwner();
  const [first, second] = [await fromBefore(latin, owner), await fromBefore(greek, owner)];
  await backfillNameFolds();
  const rows = await db.app.findMany({ where: { id: { in: [first, second] } } });
  expect(rows.map(({ deletedAt }) => deletedAt)).toEqual([null, null]);
  expect(new Set(rows.map(({ nameSkeleton }) => nameSkeleton)).size).toBe(2);
  await expect(registerApp(owner, { name: "N0tion" })).rejects.toMatchObject({ status: 409 });
  const { client_id } = await registerClient(readClientMetadata(request("N0tion")));
  expect(await warns(owner, String(client_id))).toBe(true);
});
