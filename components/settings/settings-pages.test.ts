import { expect, test } from "vitest";
import { Settings } from "@/lib/owners/schema";
import { findable, settingsPages } from "./settings-pages";

test("shows each setting on exactly one page", () => {
  const shown = settingsPages.flatMap(({ groups }) => groups.flatMap(({ rows }) => rows.map(({ setting }) => setting)));
  // `firstStepsDone` has no form, because the first steps have their own button.
  expect([...shown, "firstStepsDone"].sort()).toEqual(Object.keys(Settings.shape).sort());
});

test("lists no setting twice in the palette", () => {
  const labels = findable.map(({ label }) => label);
  expect(labels).toEqual([...new Set(labels)]);
});
