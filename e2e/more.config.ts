import { defineConfig } from "@playwright/test";
import tests from "./playwright.config";

// Part of `npm run test:more`: browser tests that `npm test` omits, third-party suites and clients,
// and the README's commands. With `--whole`, also tests tagged @more. They cover rarer behavior.
const whole = process.env.TEST_WHOLE !== "";
const rarer = whole ? [] : [/@more/];
const [desktop, phone] = tests.projects ?? [];
export default defineConfig({
  ...tests,
  projects: [
    { name: "more", testMatch: "*.more.ts", grepInvert: [/@touch/, ...rarer], use: desktop?.use },
    { name: "more-phone", testMatch: "*.more.ts", grep: /@phone|@touch/, grepInvert: rarer, use: phone?.use },
    ...((whole && tests.projects) || []).map(({ grep, grepInvert, ...project }) =>
      project.name === "phone"
        ? { ...project, grep: /(@phone|@touch).*@more/ }
        : { ...project, grep: /@more/, grepInvert: /@touch/ },
    ),
  ],
});
