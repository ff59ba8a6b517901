import { beforeEach, expect, test } from "vitest";
import { db } from "@/lib/db";
import { describeAsker } from "@/lib/grants/asker";
import { anApp, anOwner } from "@/lib/testing/factories";
import { registerApp } from "./apps";
import { foldNames } from "./fold-names";
import { readRegistrationRequest, registerClient } from "./registration";

/** Six letters each, drawn alike. */
const [latin, greek] = ["NOTION", "ΝΟΤΙΟΝ"];
/** An app as the release before wrote it down, when Ν was taken for v. */
async function fromBefore(name: string, kind: "manual" | "dynamic") {
  const registered = async () =>
    String((await registerClient(await readRegistrationRequest(request("Before")))).client_id);
  const id = kind === "manual" ? (await anApp()).clientId : await registered();
  const nameSkeleton = name === greek ? "votlov" : "notlon";
  await db.app.update({ where: { id }, data: { name, nameSkeleton, nameFolded: null } });
  return id;
}
const warns = async (id: string) => {
  const app = await db.app.findUniqueOrThrow({ where: { id }, include: { owner: true } });
  return (await describeAsker(await anOwner(), app)).namesake;
};
const request = (client_name: string) => ({ client_name, redirect_uris: ["https://app.example/cb"] });

beforeEach(async () => {
  await db.app.updateMany({ data: { deletedAt: new Date() } });
});

test("a name in Greek capitals is neither registered beside a Latin one made by hand, nor let register itself (F6)", async () => {
  await registerApp(await anOwner(), { name: latin });
  await expect(registerApp(await anOwner(), { name: greek })).rejects.toMatchObject({ status: 409 });
  await expect(readRegistrationRequest(request(greek))).rejects.toThrow("client_name looks like another app's name");
  await readRegistrationRequest(request(latin));
});

test("one that came first is warned of on the consent page (F6)", async () => {
  const { client_id } = await registerClient(await readRegistrationRequest(request(greek)));
  expect(await warns(String(client_id))).toBe(false);
  await registerApp(await anOwner(), { name: latin });
  expect(await warns(String(client_id))).toBe(true);
});

test("a name in the other case is alike as well, whatever its letters look like", async () => {
  await registerApp(await anOwner(), { name: "Δοκιμή" });
  await expect(registerApp(await anOwner(), { name: "ΔΟΚΙΜΗ" })).rejects.toMatchObject({ status: 409 });
});

test("apps from before an upgrade are compared right after it (F6)", async () => {
  const [byHand, imitation] = [await fromBefore(latin, "manual"), await fromBefore(greek, "dynamic")];
  expect(await warns(imitation)).toBe(false);
  expect((await Promise.all([foldNames(), foldNames()])).every((folded) => folded >= 0)).toBe(true);
  expect(await warns(imitation)).toBe(true);
  expect(await foldNames()).toBe(0);
  expect((await db.app.findUniqueOrThrow({ where: { id: byHand } })).nameSkeleton).toBe("notlon");
});

test("two from before that now look alike both stay, and imitations of them are still found", async () => {
  const [first, second] = [await fromBefore(latin, "manual"), await fromBefore(greek, "manual")];
  await foldNames();
  const rows = await db.app.findMany({ where: { id: { in: [first, second] } } });
  expect(rows.map(({ deletedAt }) => deletedAt)).toEqual([null, null]);
  expect(new Set(rows.map(({ nameSkeleton }) => nameSkeleton)).size).toBe(2);
  await expect(readRegistrationRequest(request("ɴᴏᴛɪᴏɴ"))).rejects.toThrow();
  await expect(readRegistrationRequest(request("N0tion"))).rejects.toThrow("looks like another app's name");
});
