// `npm run test:clients`: our OpenAPI description and MCP server must work with other people's
// programs. Clients in many languages, generated with tools from Maven, PyPI, npm and Go's
// registry, ask, list, get and answer. Schemathesis sends thousands of valid and invalid requests,
// and agents' MCP clients sign in to the built service, list the tools and ask. Tests whose program
// is missing are skipped and named. Arguments select files: `npm run test:clients -- schemathesis`.
import { check, prove, vitest } from "./checks.mjs";

const words = process.argv.slice(2);
await prove(async () => {
  await check("Other people's clients", () => vitest("clients", [], {}, words, "lib/testing/clients.config.ts"));
});
