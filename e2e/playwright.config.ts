import { defineConfig } from "@playwright/test";
import { launching } from "./browser";
import "../lib/cli/flags.mjs";

/** What is the same in any window: it runs once. */
const sameOnPhones = [
  ...[
    "a11y",
    "a11y-modes",
    "a11y-weight",
    "activity",
    "authorization",
    "activity-reading",
    "front",
    "apps",
    "connected-apps",
    "consent-ways",
    "copies",
    "developer",
  ],
  ...["developer-tools", "device", "docs", "inbox-keys"],
  ...["live", "owner-security", "race", "registration", "second-opinion", "settings", "setup", "sign-in-link"],
  ...["sign-in-up", "strict-clients", "threats", "installable", "settings-live", "sign-in", "mail-account"],
  ...["integrations-acts", "integrations-a11y", "linking", "agent", "alerts", "webhooks"],
];

export default defineConfig({
  testDir: ".",
  globalSetup: "./global-setup.ts",
  outputDir: "../test-results",
  fullyParallel: true,
  // More than the processors of a small machine: tests wait more than they work.
  workers: 3,
  forbidOnly: true,
  // A busy machine may stall a browser for seconds. What needed its second try is said at the end of the run.
  retries: process.env.CI ? 1 : 0,
  timeout: 30_000,
  expect: { timeout: 7_000 },
  reporter: process.env.E2E_REPORT ? [["json", { outputFile: process.env.E2E_REPORT }], ["line"]] : "list",
  use: {
    // Recording takes a good part of a small machine: under CI only what failed once is recorded.
    trace: process.env.CI ? "on-first-retry" : "retain-on-failure",
    // It would stand between the page and what tests do to its requests; where it is the matter they allow it.
    serviceWorkers: "block",
    launchOptions: launching(),
  },
  projects: [
    { name: "desktop", use: { viewport: { width: 1280, height: 800 }, colorScheme: "light" } },
    {
      name: "phone",
      // Where a file has both, the tests that are the same are tagged.
      grepInvert: /@once/,
      testIgnore: sameOnPhones.map((name) => `${name}.spec.ts`),
      use: { viewport: { width: 390, height: 844 }, colorScheme: "dark", hasTouch: true },
    },
  ],
});
