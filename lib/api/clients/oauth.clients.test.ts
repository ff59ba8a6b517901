import { cpSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect } from "vitest";
import { agentService } from "@/lib/testing/clients/agent-service";
import { clientTestTimeoutMs } from "@/lib/testing/clients/generated-client-service";
import { pythonWith } from "@/lib/testing/clients/pypi-environment";
import { anApp } from "@/lib/testing/factories";
import { testWith } from "@/lib/testing/test-with-programs";

// Tests OAuth clients in other languages. e2e/strict-oauth-clients.more.ts tests those in TypeScript.
const { folder, service, run, anAgent } = await agentService();

/**
 * Runs a program that gets a token by PKCE, refreshes it and revokes it, and prints each API
 * status.
 */
async function expectToWork(method: string, program: string, ...args: string[]) {
  const { owner, run } = await anAgent();
  const redirectUris = ["http://localhost:3030/callback"];
  const { clientId, clientSecret } = await anApp(owner, { public: method === "none", redirectUris });
  const { out } = await run(program, [...args, service, clientId, method, clientSecret]);
  expect(out.trim().split(/\r?\n/)).toEqual(["granted 200", "refreshed 200", "revoked 401"]);
}

for (const { name, program, methods } of [
  { name: "Authlib==1.9.9", program: "authlib", methods: ["none", "client_secret_basic", "client_secret_post"] },
  { name: "requests-oauthlib==2.0.0", program: "requests_oauthlib", methods: ["client_secret_post"] },
  { name: "httpx-oauth==0.17.0", program: "httpx_oauth", methods: ["client_secret_post", "client_secret_basic"] },
])
  testWith(
    ["python3"],
    `grants, refreshes and revokes tokens for ${name} with ${methods.join(", ")}`,
    async () => {
      const bin = await pythonWith(run, folder, program, [name, "requests"]);
      for (const method of methods)
        await expectToWork(method, join(bin, "python"), resolve(`lib/testing/clients/oauth/${program}_client.py`));
    },
    clientTestTimeoutMs,
  );

testWith(
  ["go"],
  "grants, refreshes and revokes tokens for golang.org/x/oauth2",
  async () => {
    const made = join(folder, "go");
    cpSync(resolve("lib/testing/clients/oauth/go"), made, { recursive: true });
    await run("go", ["mod", "tidy"], {}, made);
    await run("go", ["build", "-o", "walk"], {}, made);
    await expectToWork("client_secret_post", join(made, "walk"));
  },
  clientTestTimeoutMs,
);
