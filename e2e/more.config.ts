import { defineConfig } from "@playwright/test";
import tests from "./playwright.config";

// Other people's suites and clients, and the README's commands; part of `npm run test:more`.
export default defineConfig({
  ...tests,
  testMatch: "*.more.ts",
  projects: [{ name: "more", use: { viewport: { width: 1280, height: 800 } } }],
});
