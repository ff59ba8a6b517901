import { join } from "node:path";
import { defineConfig } from "vitest/config";

const root = join(import.meta.dirname, "../..");
const everything = ["lib", "app", "components"];
const database = everything.map((folder) => `${folder}/**/*.db.test.{ts,tsx}`);
const process = everything.map((folder) => `${folder}/**/*.process.test.ts`);

export default defineConfig({
  root,
  resolve: { alias: { "@": root } },
  test: {
    pool: "forks",
    projects: [
      {
        extends: true,
        test: {
          name: "unit",
          include: everything.map((folder) => `${folder}/**/*.test.{ts,tsx}`),
          exclude: [...database, ...process],
        },
      },
      {
        extends: true,
        test: {
          name: "database",
          include: database,
          globalSetup: "lib/testing/global-setup.ts",
          setupFiles: "lib/testing/database.ts",
          testTimeout: 20_000,
          hookTimeout: 20_000,
        },
      },
    ],
  },
});
