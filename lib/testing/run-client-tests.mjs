// `npm run test:clients`: tests our OpenAPI description and MCP server with third-party programs:
// generated clients, Schemathesis, and the MCP clients of agents. A test whose program is missing
// is skipped and listed. Arguments select files: `npm run test:clients -- schemathesis`.
import { check, prove, vitest } from "./test-runner.mjs";

const words = process.argv.slice(2);
await prove(async () => {
  await check("Other people's clients", () => vitest("clients", [], {}, words, "lib/testing/vitest.clients.config.ts"));
});
