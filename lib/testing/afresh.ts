import { afterAll, expect, vi } from "vitest";
import { endTimers, runningTimers } from "@/lib/work/timers";
import { unset } from "./settings";

// Runs before every test file. Files follow one another in one thread: what exists once per process is made anew for each, no
// setting is left over, and no timer or loop of the former file goes on.
vi.useRealTimers();
if (runningTimers() > 0)
  throw new Error(`${runningTimers()} timers or loops of the former test file are still running`);
process.env.COUNTERSIGN_DATABASE_PATIENCE = process.env.TEST_DATABASE_PATIENCE ?? "";
(globalThis as { countersign?: Map<string, unknown> }).countersign?.clear();
unset();

// The first to be registered runs last: after what the file and the other setup files do at their end.
afterAll(async () => {
  vi.useRealTimers();
  await endTimers();
  expect(runningTimers()).toBe(0);
});
