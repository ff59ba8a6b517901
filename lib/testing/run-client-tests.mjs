// `npm run test:clients`: tests our OpenAPI description and MCP server with third-party programs,
// such as generated clients, Schemathesis and agents. Skips and lists tests whose program is
// missing. Arguments select files: `npm run test:clients -- schemathesis`.
import { check, prove, vitest } from "./test-runner.mjs";

const words = process.argv.slice(2);
await prove(async () => {
  await check("Other people's clients", () => vitest("clients", [], {}, words, "lib/testing/vitest.clients.config.ts"));
});
