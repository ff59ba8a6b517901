import { expect, test } from "vitest";
import { Settings } from "@/lib/owners/schema";
import { findable, movedTo, settingsPages } from "./settings-pages";

test("maps an anchor of the former settings page to its new page", () => {
  expect(movedTo("appearance")).toBe("/settings/look");
  expect(movedTo("quiet")).toBe("/settings/alerts#quiet");
  expect(movedTo("channels")).toBe("/settings/alerts#channels");
  expect(movedTo("export")).toBe("/settings/data#export");
  expect([movedTo("account"), movedTo("timeZone"), movedTo("nothing"), movedTo("")]).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});

test("shows each setting on exactly one page", () => {
  const shown = settingsPages.flatMap(({ groups }) => groups.flatMap(({ rows }) => rows.map(({ setting }) => setting)));
  // The first steps have their own button.
  expect([...shown, "firstStepsDone"].sort()).toEqual(Object.keys(Settings.shape).sort());
});

test("lists no setting twice in the palette", () => {
  const labels = findable.map(({ label }) => label);
  expect(labels).toEqual([...new Set(labels)]);
});
