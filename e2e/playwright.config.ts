import { defineConfig } from "@playwright/test";
import { launching } from "./launch-options";
import "../lib/cli/v8-flags.mjs";

export default defineConfig({
  testDir: ".",
  globalSetup: "./global-setup.ts",
  outputDir: "../test-results",
  fullyParallel: true,
  // There are more workers than processors on a small machine, because tests mostly wait.
  workers: 4,
  forbidOnly: true,
  // A busy machine may stall a browser for seconds. The end of the run lists tests that needed a
  // retry.
  retries: process.env.CI ? 1 : 0,
  // Slow machines must pass too. Each wait has one minute and each test four, so that a failure
  // names the missing element. Only failing tests use this time.
  timeout: 240_000,
  expect: { timeout: 60_000 },
  reporter: process.env.E2E_REPORT ? [["json", { outputFile: process.env.E2E_REPORT }], ["line"]] : "list",
  use: {
    // Recording is expensive, so only retries are recorded.
    trace: process.env.E2E_REPORT ? "on-first-retry" : "retain-on-failure",
    // The locale of dates and numbers in tests.
    locale: "en-GB",
    // A service worker would intercept the requests that tests route, so only its own tests allow
    // it.
    serviceWorkers: "block",
    // Animations cost a tenth of a small machine's CPU time, so only motion tests turn them on.
    contextOptions: { reducedMotion: "reduce" },
    launchOptions: launching(),
  },
  // Tests tagged @more belong to `npm run test:more -- --whole`.
  projects: [
    {
      name: "desktop",
      grepInvert: /@touch|@more/,
      use: { viewport: { width: 1280, height: 800 }, colorScheme: "light" },
    },
    {
      name: "phone",
      // Tests tagged @phone cover the differences on a phone: one pane at a time, less space, and
      // touch. Other tests would repeat the same result.
      grep: /@phone|@touch/,
      grepInvert: /@more/,
      use: { viewport: { width: 390, height: 844 }, colorScheme: "dark", hasTouch: true },
    },
  ],
});
