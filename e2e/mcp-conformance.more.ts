import { join } from "node:path";
import { registerApp } from "@/lib/apps/apps";
import { freePort } from "@/lib/net/free-port";
import { scopeNames } from "@/lib/scopes";
import { anApp, anOwner } from "@/lib/testing/factories";
import { aGrantedToken } from "@/lib/testing/oauth-flow";
import { bearerProxy } from "./bearer-proxy";
import { expect, serviceUrl, test } from "./fixtures";
import { npmExec } from "./npm-exec";
import { randomLetters } from "./oauth-app";
import { allowAt } from "./oauth-owner";

const suite = "@modelcontextprotocol/conformance@0.2.0-alpha.12";

test("passes the MCP conformance suite for authorization servers", async ({ page, owner: _ }) => {
  test.setTimeout(180_000);
  const port = await freePort();
  const redirectUris = [`http://127.0.0.1:${port}/callback`];
  const { clientId } = await registerApp(await anOwner(), {
    name: `Judge ${randomLetters()}`,
    redirectUris,
    public: true,
  });
  const answered = new Set<string>();
  const { status, said } = await npmExec(
    suite,
    [
      ...["conformance", "authorization", "--url", serviceUrl(), "--client-id", clientId],
      ...["--port", String(port), "--resource", `${serviceUrl()}/api/mcp`, "--output-dir", "."],
    ],
    (so) => {
      for (const [url] of so.matchAll(new RegExp(`${serviceUrl()}/oauth/authorize\\?\\S+`, "g"))) {
        if (answered.has(url)) continue;
        answered.add(url);
        // A request without scope gets the defaults.
        void allowAt(page.request, url, ["approvals:read", "approvals:write"]).then((back) =>
          page.request.get(back.href),
        );
      }
    },
  );
  const [, passed, failed] = /Total: (\d+) passed, (\d+) failed/.exec(said) ?? [];
  expect({ status, failed, said: status === 0 ? "" : said }).toEqual({ status: 0, failed: "0", said: "" });
  expect(Number(passed)).toBeGreaterThanOrEqual(2);
});

/**
 * Runs all of a revision's server requirements. The baseline lists, with reasons, the tests that
 * need the suite's own tools, prompts and resources. The suite also fails if one of those passes.
 */
for (const revision of ["2026-07-28", "2025-11-25"]) {
  test(`passes the applicable MCP ${revision} server tests in the conformance suite`, async () => {
    test.setTimeout(180_000);
    const owner = await anOwner();
    const party = { owner, app: await anApp(undefined, { public: true }) };
    const { token } = await aGrantedToken(party, {
      scope: scopeNames.join(" "),
      resource: `${serviceUrl()}/api/mcp`,
    });
    const proxy = await bearerProxy(serviceUrl(), token);
    const baseline = join(import.meta.dirname, `conformance-${revision}.yml`);
    const { status, said } = await npmExec(suite, [
      ...["conformance", "server", "--url", `${proxy.url}/api/mcp`, "--requirements", revision],
      ...["--expected-failures", baseline],
    ]);
    proxy.close();
    expect({ status, said: status === 0 ? "" : said }).toEqual({ status: 0, said: "" });
  });
}
