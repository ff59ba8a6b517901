import { join } from "node:path";
import { defineConfig } from "vitest/config";
import "./lib/cli/flags.mjs";

const root = import.meta.dirname;

/** `npm run test:clients`: what `clients.mjs` says; agents connect to the service as built. */
export default defineConfig({
  root,
  resolve: { alias: { "@": root } },
  test: {
    include: ["lib/**/*.clients.test.ts"],
    globalSetup: ["lib/testing/global-setup.ts"],
    setupFiles: ["lib/testing/afresh.ts", "lib/testing/database.ts"],
    // Compilers are under way in each, and leave little of a small machine.
    maxWorkers: 1,
    testTimeout: 900_000,
    hookTimeout: 60_000,
  },
});
