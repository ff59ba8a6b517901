import { afterEach, expect, test } from "vitest";
import { db } from "@/lib/database/db";
import { configure } from "@/lib/testing/change-settings";
import { anOwner } from "@/lib/testing/factories";
import { aPasskeyFor } from "@/lib/testing/sign-answers";
import { asForms, changeSetting } from "./change-setting-from-form";
import type { Settings } from "./schema";
import { changeSettings, defaults, readSettings, takeTimeZone } from "./settings";

const real = () => {
  configure({ UNDO_SECONDS: undefined });
};
afterEach(() => {
  configure({ UNDO_SECONDS: "0" });
});

const untouched = { ...defaults, zoneKnown: false };

test("keeps settings that a change omits", async () => {
  const owner = await anOwner();
  expect(await readSettings(owner)).toEqual(untouched);
  await changeSettings(owner, { undoSeconds: 10, quiet: { from: 22 * 60, until: 7 * 60 } });
  await changeSettings(owner, { theme: "dark", timeZone: "Europe/Berlin" });
  expect(await readSettings(owner)).toEqual({
    ...defaults,
    undoSeconds: 10,
    quiet: { from: 1320, until: 420 },
    theme: "dark",
    timeZone: "Europe/Berlin",
    zoneKnown: true,
  });
  await changeSettings(owner, { quiet: null, firstStepsDone: true });
  expect(await readSettings(owner)).toMatchObject({ quiet: null, firstStepsDone: true, undoSeconds: 10 });
  expect(await readSettings(await anOwner())).toEqual(untouched);
});

test.each([{ undoSeconds: 7 }, { timeZone: "Europe/Nowhere" }, { quietDays: [7] }, { emailAfterMinutes: 0 }])(
  "rejects the invalid settings %o",
  async (change) => {
    const owner = await anOwner();
    await expect(changeSettings(owner, change as Partial<Settings>)).rejects.toThrow();
    expect(await readSettings(owner)).toEqual(untouched);
  },
);

test.each<[string, Settings]>([
  ["the defaults", defaults],
  [
    "the opposite settings",
    {
      undoSeconds: 30,
      alwaysConfirm: true,
      signAnswers: true,
      singleKeys: false,
      theme: "dark",
      density: "compact",
      motion: "reduced",
      timeZone: "Europe/Berlin",
      quiet: { from: 5, until: 23 * 60 + 59 },
      quietDays: [],
      quietBreakthrough: false,
      lockScreen: "full",
      answerFromAlerts: true,
      emailAlerts: false,
      emailAfterMinutes: 1440,
      emailAnswers: true,
      firstStepsDone: true,
    },
  ],
])("saves %s from form values", async (_, settings) => {
  const owner = await anOwner();
  await aPasskeyFor(owner);
  for (const [setting, value] of Object.entries(asForms(settings)))
    await changeSetting(owner, { setting: setting as keyof Settings, value });
  expect(await readSettings(owner)).toEqual({ ...settings, zoneKnown: true });
});

test("records the names of changed settings in an event", async () => {
  const owner = await anOwner();
  await changeSettings(owner, { lockScreen: "full" });
  const events = await db.event.findMany({ where: { ownerId: owner.ownerId } });
  expect(events).toMatchObject([{ type: "owner.settings_changed", data: { changed: ["lockScreen"] } }]);
});

test("stores a time zone's canonical name", async () => {
  const owner = await anOwner();
  const here = new Intl.DateTimeFormat("en", { timeZone: "Asia/Kolkata" }).resolvedOptions().timeZone;
  await changeSettings(owner, { timeZone: "Asia/Kolkata" });
  expect(await readSettings(owner)).toMatchObject({ timeZone: here });
  await changeSettings(owner, { timeZone: "europe/berlin" });
  expect(await readSettings(owner)).toMatchObject({ timeZone: "Europe/Berlin" });
  await expect(changeSettings(owner, { timeZone: "+05:30" })).rejects.toMatchObject({ status: 400 });
});

test("uses a browser's time zone only if the owner has set none", async () => {
  const owner = await anOwner();
  await changeSettings(owner, { theme: "dark" });
  await takeTimeZone(owner, "Asia/Tokyo");
  expect(await readSettings(owner)).toEqual({ ...defaults, theme: "dark", timeZone: "Asia/Tokyo", zoneKnown: true });
  await takeTimeZone(owner, "Europe/Berlin");
  expect(await readSettings(owner)).toMatchObject({ timeZone: "Asia/Tokyo" });
  const chosen = await anOwner();
  await changeSettings(chosen, { timeZone: "UTC" });
  await takeTimeZone(chosen, "Asia/Tokyo");
  expect(await readSettings(chosen)).toMatchObject({ timeZone: "UTC" });
});

test("sets the undo period to five seconds by default", async () => {
  real();
  const [fresh, other, chose] = [await anOwner(), await anOwner(), await anOwner()];
  await takeTimeZone(other, "Asia/Tokyo");
  await changeSettings(other, { theme: "dark" });
  await changeSettings(chose, { undoSeconds: 0 });
  const seconds = () => Promise.all([fresh, other, chose].map(async (it) => (await readSettings(it)).undoSeconds));
  expect(await seconds()).toEqual([5, 5, 0]);
  configure({ UNDO_SECONDS: "30" });
  expect(await seconds()).toEqual([30, 30, 0]);
  await changeSettings(fresh, { undoSeconds: 10 });
  expect(await seconds()).toEqual([10, 30, 0]);
});
