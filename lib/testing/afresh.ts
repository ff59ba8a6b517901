import { vi } from "vitest";
import { resetEnv, settingNames } from "@/lib/env";

// Runs before every test file. Files follow one another in one thread: what exists once per process is made anew for each, and
// no setting is left over.
vi.useRealTimers();
for (const setting of settingNames) delete process.env[setting];
(globalThis as { countersign?: Map<string, unknown> }).countersign?.clear();
resetEnv();
