import { defineConfig } from "@playwright/test";
import tests from "./playwright.config";

// Part of `npm run test:more`: other people's suites and clients, the README's commands, and what is tagged @more: the product's
// own behaviour in rarer ways (a provider in trouble, a second door to the same, axe in every look), which `npm test` does without.
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
