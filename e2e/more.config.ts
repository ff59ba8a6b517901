import { defineConfig } from "@playwright/test";
import tests from "./playwright.config";

// Part of `npm run test:more`: third-party suites and clients, the README's commands, and tests
// tagged @more. The tagged tests cover rarer behavior that `npm test` skips.
const use = { viewport: { width: 1280, height: 800 }, colorScheme: "light" as const };
export default defineConfig({
  ...tests,
  projects: [
    { name: "more", testMatch: "*.more.ts", use },
    ...(tests.projects ?? []).map(({ grep, grepInvert, ...project }) =>
      project.name === "phone"
        ? { ...project, grep: /(@phone|@touch).*@more/ }
        : { ...project, grep: /@more/, grepInvert: /@touch/ },
    ),
  ],
});
