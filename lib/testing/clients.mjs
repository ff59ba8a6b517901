// `npm run test:clients`: clients in many languages, made from our OpenAPI description by the generators that people use, which are
// fetched from Maven, PyPI, npm and Go's registry; each asks, lists, gets and answers. And Schemathesis, which sends thousands of
// requests that the description allows or forbids. And the MCP clients that agents have, each against the service as built: it signs
// in, lists the tools, asks and hears the answer. (MCP's own conformance suites are in e2e/conformance.more.ts.) What needs a program
// that is missing here is skipped and named.
// Words given narrow it down to files: `npm run test:clients -- schemathesis`.
import { check, prove, vitest } from "./checks.mjs";

const words = process.argv.slice(2);
await prove(async () => {
  await check("Other people's clients", () => vitest("clients", [], {}, words, "lib/testing/clients.config.ts"));
});
