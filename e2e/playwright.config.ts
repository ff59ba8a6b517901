import { defineConfig } from "@playwright/test";
import { launching } from "./browser";
import "../lib/cli/flags.mjs";

export default defineConfig({
  testDir: ".",
  globalSetup: "./global-setup.ts",
  outputDir: "../test-results",
  fullyParallel: true,
  // More than the processors of a small machine: tests wait more than they work.
  workers: 4,
  forbidOnly: true,
  // A busy machine may stall a browser for seconds. What needed its second try is said at the end of the run.
  retries: process.env.CI ? 1 : 0,
  // A machine that is several times slower shall pass: what is waited for has a minute, and all steps of a test together four,
  // so that a failure names what did not come. Tests that pass wait for none of this; one that fails costs a minute.
  timeout: 240_000,
  expect: { timeout: 60_000 },
  reporter: process.env.E2E_REPORT ? [["json", { outputFile: process.env.E2E_REPORT }], ["line"]] : "list",
  use: {
    // Recording takes a good part of a small machine: of a whole run only what is tried again is recorded.
    trace: process.env.E2E_REPORT ? "on-first-retry" : "retain-on-failure",
    // Whose dates and numbers the tests read.
    locale: "en-GB",
    // It would stand between the page and what tests do to its requests; where it is the matter they allow it.
    serviceWorkers: "block",
    // Painting what moves takes a tenth of a small machine; tests of what moves ask for it.
    contextOptions: { reducedMotion: "reduce" },
    launchOptions: launching(),
  },
  // What is tagged @more is part of `npm run test:more`.
  projects: [
    {
      name: "desktop",
      grepInvert: /@touch|@more/,
      use: { viewport: { width: 1280, height: 800 }, colorScheme: "light" },
    },
    {
      name: "phone",
      // Of the rest a phone would prove the same again: here is where list and decision take turns, where words have less room,
      // and where thumbs press.
      grep: /@phone|@touch/,
      grepInvert: /@more/,
      use: { viewport: { width: 390, height: 844 }, colorScheme: "dark", hasTouch: true },
    },
  ],
});
