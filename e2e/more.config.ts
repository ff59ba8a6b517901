import { defineConfig } from "@playwright/test";
import tests from "./playwright.config";

// Part of `npm run test:more`: browser tests that `npm test` omits, third-party suites and clients,
// and the README's commands. With `--whole`, also `*.whole.ts` and tests tagged @more, which cover
// rarer behavior.
const whole = process.env.TEST_WHOLE !== "";
const testMatch = whole ? ["*.more.ts", "*.whole.ts", "*.spec.ts"] : "*.more.ts";
export default defineConfig({
  ...tests,
  // Playwright searches the name of the file, the title and the tags.
  projects: (tests.projects ?? []).map((project) =>
    project.name === "phone"
      ? {
          ...project,
          testMatch,
          grep: /(\.(more|whole)\.ts.*(@phone|@touch))|((@phone|@touch).*@more)/,
          grepInvert: whole ? [] : /@more/,
        }
      : { ...project, testMatch, grep: /\.(more|whole)\.ts|@more/, grepInvert: whole ? /@touch/ : /@touch|@more/ },
  ),
});
