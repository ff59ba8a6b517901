// `npm run test:clients`: generated clients in many languages from our OpenAPI description, with
// generators fetched from Maven, PyPI, npm and Go's registry; each asks, lists, gets and answers.
// Also Schemathesis, which sends thousands of valid and invalid requests, and agents' MCP clients
// against the built service: each signs in, lists the tools, asks and gets the answer. (MCP's own
// conformance suites are in e2e/conformance.more.ts.) Tests whose program is missing are skipped
// and named. Arguments select files: `npm run test:clients -- schemathesis`.
import { check, prove, vitest } from "./checks.mjs";

const words = process.argv.slice(2);
await prove(async () => {
  await check("Other people's clients", () => vitest("clients", [], {}, words, "lib/testing/clients.config.ts"));
});
