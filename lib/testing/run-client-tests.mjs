// `npm run test:clients`: our OpenAPI description and MCP server must work with third-party
// programs. Clients from generators ask and answer, Schemathesis sends thousands of requests, and
// agents' MCP clients sign in and ask. Tests whose program is missing are skipped and listed.
// Arguments select files: `npm run test:clients -- schemathesis`.
import { check, prove, vitest } from "./test-runner.mjs";

const words = process.argv.slice(2);
await prove(async () => {
  await check("Other people's clients", () => vitest("clients", [], {}, words, "lib/testing/clients.config.ts"));
});
