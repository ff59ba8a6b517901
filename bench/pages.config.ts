import { defineConfig } from "@playwright/test";
import { launching } from "../e2e/launch-options";
import tests from "../e2e/playwright.config";

// `npm run bench:pages`: the speed and weight of the owner's pages in the running product. The
// benchmark prints numbers. It never fails for slowness.
export default defineConfig({
  ...tests,
  testDir: "pages",
  testMatch: "*.figures.ts",
  outputDir: "../test-results/pages",
  globalSetup: "../e2e/global-setup.ts",
  timeout: 900_000,
  // Runs are sequential, because parallel runs affect each other.
  workers: 1,
  fullyParallel: false,
  retries: 0,
  reporter: "line",
  use: { ...tests.use, trace: "off", launchOptions: launching(true) },
  projects: [{ name: "pages", use: { viewport: { width: 1280, height: 800 }, colorScheme: "light" } }],
});
