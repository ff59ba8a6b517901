import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { registerApp } from "@/lib/apps/apps";
import { freePort } from "@/lib/postgres/instance";
import { anOwner } from "@/lib/testing/factories";
import { expect, serviceUrl, test } from "./fixtures";
import { randomLetters } from "./oauth-app";
import { allowAt } from "./oauth-owner";

test.skip(({ viewport }) => (viewport?.width ?? 0) < 640, "there is nothing to see");

/** It wants a newer Node.js than ours, and npm brings both for the length of a run. */
const packages = ["node@22.23.3", "@modelcontextprotocol/conformance@0.2.0-alpha.12"];

test("the MCP conformance suite finds nothing wrong with our authorization server", async ({ page, owner: _ }) => {
  test.setTimeout(180_000);
  const port = await freePort();
  const redirectUris = [`http://127.0.0.1:${port}/callback`];
  const { clientId } = await registerApp(await anOwner(), {
    name: `Judge ${randomLetters()}`,
    redirectUris,
    public: true,
  });
  const folder = mkdtempSync(join(tmpdir(), "countersign-conformance-"));
  const suite = [
    ...["conformance", "authorization", "--url", serviceUrl(), "--client-id", clientId],
    ...["--port", String(port), "--resource", `${serviceUrl()}/api/mcp`, "--output-dir", folder],
  ];
  const child = spawn("npm", ["exec", "--yes", ...packages.map((it) => `--package=${it}`), "--", ...suite], {
    cwd: folder,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let said = "";
  const answered = new Set<string>();
  const listen = (text: Buffer) => {
    said += text;
    for (const [url] of said.matchAll(new RegExp(`${serviceUrl()}/oauth/authorize\\?\\S+`, "g"))) {
      if (answered.has(url)) continue;
      answered.add(url);
      // Sent without scope, it asks for the usual ones.
      void allowAt(page.request, url, ["approvals:read", "approvals:write"]).then((back) =>
        page.request.get(back.href),
      );
    }
  };
  child.stdout.on("data", listen);
  child.stderr.on("data", listen);
  const status = await new Promise((resolve) => child.on("close", resolve));
  rmSync(folder, { recursive: true });
  const [, passed, failed] = /Total: (\d+) passed, (\d+) failed/.exec(said) ?? [];
  expect({ status, failed, said: status === 0 ? "" : said }).toEqual({ status: 0, failed: "0", said: "" });
  expect(Number(passed)).toBeGreaterThanOrEqual(2);
});
