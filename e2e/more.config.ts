import { defineConfig } from "@playwright/test";
import tests from "./playwright.config";

// Part of `npm run test:more`: third-party suites and clients, and the README's commands. With
// `--whole`, also tests tagged @more. They cover rarer behavior that `npm test` skips.
const whole = process.env.TEST_WHOLE !== "";
const use = { viewport: { width: 1280, height: 800 }, colorScheme: "light" as const };
export default defineConfig({
  ...tests,
  projects: [
    { name: "more", testMatch: "*.more.ts", ...(!whole && { grepInvert: /@more/ }), use },
    ...((whole && tests.projects) || []).map(({ grep, grepInvert, ...project }) =>
      project.name === "phone"
        ? { ...project, grep: /(@phone|@touch).*@more/ }
        : { ...project, grep: /@more/, grepInvert: /@touch/ },
    ),
  ],
});
