import { defineConfig } from "@playwright/test";
import tests from "./playwright.config";

// `npm run screenshots` takes the pictures in docs/screenshots from the running product.
export default defineConfig({
  ...tests,
  testMatch: "screens.shots.ts",
  timeout: 600_000,
  use: { ...tests.use, actionTimeout: 15_000 },
  projects: [{ name: "screens" }],
});
