import { join } from "node:path";
import { defineConfig } from "vitest/config";
import "../cli/v8-flags.mjs";

const root = join(import.meta.dirname, "../..");

/**
 * The configuration of `npm run test:clients` (see `run-client-tests.mjs`). Agents connect to the
 * built service.
 */
export default defineConfig({
  root,
  resolve: { alias: { "@": root } },
  test: {
    include: ["lib/**/*.clients.test.ts"],
    globalSetup: ["lib/testing/build-service-once.ts", "lib/testing/global-setup.ts"],
    setupFiles: ["lib/testing/test-file-setup.ts", "lib/testing/database-per-test-file.ts"],
    // One file at a time, because a file's compilers use all processors of a small machine.
    maxWorkers: 1,
    testTimeout: 900_000,
    hookTimeout: 60_000,
  },
});
