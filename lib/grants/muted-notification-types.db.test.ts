import { expect, it } from "vitest";
import { anOwner } from "@/lib/testing/factories";
import { readAppPreferences, updateAppPreferences } from "./app-preferences";
import { muteType } from "./muted-notification-types";

it("keeps an app's other preferences when notification types are muted concurrently", async () => {
  const [owner, appId] = [await anOwner(), "app_x"];
  await muteType(owner, appId, "build", true);
  await updateAppPreferences(owner, appId, { alwaysConfirm: true });
  await Promise.all(["a", "b", "c", "build"].map((type) => muteType(owner, appId, type, true)));
  const choice = await readAppPreferences(owner, appId);
  expect([...choice.mutedTypes].sort()).toEqual(["a", "b", "build", "c"]);
  expect(choice.alwaysConfirm).toBe(true);
  await muteType(owner, appId, "build", false);
  expect((await readAppPreferences(owner, appId)).mutedTypes).not.toContain("build");
  expect(await readAppPreferences(await anOwner(), appId)).toMatchObject({ mutedTypes: [], alwaysConfirm: false });
  await expect(muteType(owner, appId, "x".repeat(129), true)).rejects.toMatchObject({ status: 400 });
});
