import { afterAll, expect, vi } from "vitest";
import { endTimers, runningTimers } from "@/lib/work/timer-registry";
import { unset } from "./change-settings";

// Runs before every test file. The files of a thread run one after another. Each starts with new
// process singletons and without settings, and must leave no timers or loops.
vi.useRealTimers();
if (runningTimers() > 0)
  throw new Error(`${runningTimers()} timers or loops of the former test file are still running`);
process.env.COUNTERSIGN_DATABASE_PATIENCE = process.env.TEST_DATABASE_PATIENCE ?? "";
(globalThis as { countersign?: Map<string, unknown> }).countersign?.clear();
unset();

// Registered first, so it runs last, after the other cleanups of the file.
afterAll(async () => {
  vi.useRealTimers();
  await endTimers();
  expect(runningTimers()).toBe(0);
});
