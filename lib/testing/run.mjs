// `npm test`, and with --fast `npm run check`. Brings all it needs: packages, databases, a browser, ports. DATA_DIR and
// whatever runs on this machine are left alone.
import { build } from "../cli/prepare.mjs";
import { browser, check, node, playwright, prove, say, step, vitest } from "./checks.mjs";

const fast = process.argv.includes("--fast");

await prove(async () => {
  const mail = check("Mail server", mailServer);
  const types = check("Types", async () => {
    await node("next/dist/bin/next", ["typegen"]);
    await node("typescript/bin/tsc", []);
  });
  const unbuilt = withoutBuild(mail);
  if (fast) return void (await Promise.all([types, unbuilt]));
  // Both write the types of pages. Browsers wait a good part of their time: what needs none goes on beside them.
  const built = types.then(() => check("Build", () => build(step)));
  await Promise.all([inBrowser(mail, built), unbuilt.then(() => asProcesses(built))]);
});

async function mailServer() {
  const { findDovecot, installDovecot, noDovecot } = await import("./dovecot.ts");
  const todo = findDovecot() ? undefined : fast ? noDovecot : installDovecot();
  if (todo) say(todo);
}

/** @param {Promise<boolean>} mail */
async function withoutBuild(mail) {
  await check("Lint and formatting", () => node("@biomejs/biome/bin/biome", ["check", "--error-on-warnings"]));
  await mail;
  await check("Unit and database tests", () => vitest("main", ["unit", "database*"]));
}

/** @param {Promise<boolean>} built */
async function asProcesses(built) {
  await check("OpenAPI document", () =>
    node("@redocly/cli/bin/cli.js", ["lint", "--extends=recommended", "public/openapi.json"]),
  );
  if (await built) await check("Service and commands", () => vitest("process", ["process"]));
}

/** @param {Promise<boolean>} mail @param {Promise<boolean>} built */
async function inBrowser(mail, built) {
  await mail;
  if ((await check("Browser", browser)) && (await built)) {
    await check("End-to-end tests", () => playwright("e2e/playwright.config.ts"));
  }
}
