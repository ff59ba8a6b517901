import { randomBytes } from "node:crypto";
import { freePort } from "@/lib/net/free-port";
import { newDataDir, removeDataDir } from "@/lib/testing/data-dir";
import { anApp, aTokenFor } from "@/lib/testing/factories";
import { mcpClient } from "@/lib/testing/mcp-client";
import { aGrantedToken } from "@/lib/testing/oauth-flow";
import { startService } from "@/lib/testing/service-process";
import type { Received } from "@/lib/testing/webhook-receiver";
import { addEndpoint } from "@/lib/webhooks/endpoints";
import { expect, type Owner, serviceUrl, test } from "../../e2e/fixtures";
import { settle, theQuestion } from "../../e2e/inbox-locators";
import { aQuestion } from "../../e2e/oauth-app";
import { listen } from "./event-stream";
import { quantile, rounded, table } from "./table";
import { clickYes, now } from "./timed-click";

const rounds = Number(process.env.ROUNDS ?? 200);
/** Rounds before the measurement, in which the servers' and the browser's code gets compiled. */
const warmUp = 10;
const scopes = ["approvals:write", "approvals:read", "approvals:resolve"] as const;

/**
 * A method by which an app receives an answer. `hear` is called before the answer exists. @returns
 * the answer's arrival time, in epoch milliseconds
 */
type Listener = { hear(id: string): Promise<number>; close?(): unknown };

test("measures the delay from an owner's answer to the app by transport", async ({ page, owner }) => {
  test.setTimeout(3_600_000);
  const { DATABASE_URL = "", SECRET = "", PUBLIC_URL = "", ALLOW_PRIVATE_FETCH = "" } = process.env;
  const [dataDir, port] = [newDataDir(), await freePort()];
  const settings = { DATABASE_URL, SECRET, PUBLIC_URL, ALLOW_PRIVATE_FETCH };
  const second = await startService({ ...settings, DATA_DIR: dataDir, PORT: String(port) });
  const rows: (string | number)[][] = [];
  const run = async (name: string, token: string, way: Listener) => {
    await page.goto("/approvals");
    await expect(page.locator("[data-connection=live]")).toBeAttached();
    await settle(page);
    const took: number[] = [];
    for (let round = -warmUp; round < rounds; round++) {
      const question = `${name}, ${round + warmUp}: ship it?`;
      const id = await submit(token, question);
      await expect(theQuestion(page)).toHaveText(question);
      await settle(page);
      const heard = way.hear(id);
      await page.waitForTimeout(20);
      const clicked = await page.evaluate(clickYes);
      const arrived = await heard;
      if (round >= 0) took.push(arrived - clicked);
      // Waits until the page has finished the reads that the answer caused.
      await page.waitForTimeout(250);
    }
    await way.close?.();
    rows.push([name, ...[quantile(took, 0.5), quantile(took, 0.95), Math.max(...took)].map(rounded)]);
  };
  try {
    const first = await anAppOf(owner);
    const hooked = await anAppOf(owner);
    const path = `/${randomBytes(6).toString("hex")}`;
    await addEndpoint(owner, hooked.clientId, { url: process.env.E2E_HOOKS + path, types: ["approval.resolved"] });
    for (const [where, at] of [
      ["one instance", serviceUrl()],
      ["two instances", `http://127.0.0.1:${port}`],
    ] as const) {
      await run(`wait, ${where}`, first.token, waitingAt(at, first.token));
      await run(`stream, ${where}`, first.token, await listen(at, first.token));
      await run(`MCP, ${where}`, first.token, await asAgent(at, first.mcpToken));
    }
    await run("webhook, sent by either", hooked.token, hookedAt(path));
  } finally {
    await second.stop();
    removeDataDir(dataDir);
  }
  table(`Click → app in ms, ${rounds} answers each`, ["", "p50", "p95", "worst"], rows);
});

async function anAppOf(owner: Owner) {
  const app = await anApp(owner, { public: true });
  const { token } = await aTokenFor(owner, app.clientId, [...scopes]);
  const mcp = { scope: "approvals:write approvals:read", resource: `${serviceUrl()}/api/mcp` };
  return { clientId: app.clientId, token, mcpToken: (await aGrantedToken({ owner, app }, mcp)).token };
}

async function submit(token: string, question: string): Promise<string> {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const body = JSON.stringify({ ...aQuestion, question });
  return (await (await fetch(`${serviceUrl()}/api/approvals`, { method: "POST", headers, body })).json()).id;
}

const waitingAt = (at: string, token: string): Listener => ({
  hear: async (id) => {
    const headers = { authorization: `Bearer ${token}` };
    await (await fetch(`${at}/api/approvals/${id}?wait=60`, { headers })).text();
    return now();
  },
});

async function asAgent(at: string, token: string): Promise<Listener> {
  const client = await mcpClient(new URL(`${at}/api/mcp`), token);
  return {
    hear: async (id) => {
      await client.call("check_approval", { id });
      return now();
    },
    close: () => client.close(),
  };
}

/**
 * The tests' receiver is a separate process, which records each message's arrival. It is asked
 * rarely, because each request to it takes processor time from the measured delivery.
 */
const hookedAt = (path: string): Listener => ({
  hear: async (id) => {
    for (;;) {
      const got: Received[] = await (await fetch(process.env.E2E_HOOKS + path)).json();
      const mine = got.find(({ body }) => body.includes(id));
      if (mine) return mine.at;
      await new Promise((again) => setTimeout(again, 200));
    }
  },
});
