import { defineConfig } from "@playwright/test";
import { launching } from "../e2e/browser";
import tests from "../e2e/playwright.config";

// `npm run bench:pages`: how fast and how heavy the owner's pages are in the running product.
// Nothing fails for being slow; the printed numbers of one run are the result.
export default defineConfig({
  ...tests,
  testDir: "pages",
  testMatch: "*.figures.ts",
  outputDir: "../test-results/pages",
  globalSetup: "../e2e/global-setup.ts",
  timeout: 900_000,
  // One at a time, or they would affect each other's results.
  workers: 1,
  fullyParallel: false,
  retries: 0,
  reporter: "line",
  use: { ...tests.use, trace: "off", launchOptions: launching(true) },
  projects: [{ name: "pages", use: { viewport: { width: 1280, height: 800 }, colorScheme: "light" } }],
});
