import http from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "@playwright/test";
import { expect, serviceUrl, test } from "./fixtures";

// In a real browser, pages of other origins can call the API with a token, but can't use an owner's
// session.

/**
 * Opens a page of another origin whose script sets `window.result`.
 * @returns the value as JSON
 */
async function runElsewhere<T>(page: Page, script: string): Promise<T> {
  const html = `<!doctype html><title>Elsewhere</title><script type="module">${script}</script>`;
  const server = http.createServer((_req, res) => res.writeHead(200, { "content-type": "text/html" }).end(html));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const failed = new Promise<never>((_, reject) => page.on("pageerror", reject));
  await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  const set = page.waitForFunction(() => (window as unknown as { result?: string }).result, undefined);
  const result = await Promise.race([set, failed]);
  server.close();
  return JSON.parse((await result.jsonValue()) as string) as T;
}

test("serves the client and the API to pages from other origins", async ({ page, app }) => {
  const found = await runElsewhere<Record<string, unknown>>(
    page,
    `
    import { Countersign } from "${serviceUrl()}/client/countersign.js";
    const client = new Countersign({ baseUrl: "${serviceUrl()}", token: "${app.token}" });
    const id = await client.approvals.create(
      { question: "Ship?", options: [{ id: "yes", label: "Yes" }] },
      { key: "from a page" },
    );
    const { data } = await client.approvals.list({ status: "pending" });
    const got = await client.approvals.get(id);
    const stranger = new Countersign({ baseUrl: "${serviceUrl()}", token: "csn_pat_wrong" });
    const refused = await stranger.approvals.get(id).catch((error) => [error.status, error.details[0]?.message]);
    const missed = await fetch("${serviceUrl()}/api/aprovals", { headers: { authorization: "Bearer ${app.token}" } });
    const made = await fetch("${serviceUrl()}/api/notifications", {
      method: "POST",
      headers: { authorization: "Bearer ${app.token}", "content-type": "application/json", "idempotency-key": "a" },
      body: JSON.stringify({ title: "From a page" }),
    });
    window.result = JSON.stringify({
      listed: data.some((it) => it._id === id), status: got.status, refused,
      missed: [missed.status, (await missed.json()).details[0].message],
      made: [made.status, made.headers.get("location") !== null, made.headers.get("x-request-id") !== null],
    });`,
  );
  expect(found).toEqual({
    listed: true,
    status: "pending",
    refused: [401, expect.stringContaining("is not a complete access token")],
    missed: [404, expect.stringContaining("Did you mean /api/approvals?")],
    made: [201, true, true],
  });
});

test("prevents other origins from reading the owner's pages and action responses", async ({ page, owner }) => {
  expect(owner.email).toBeTruthy();
  const paths = ["/approvals", "/settings", "/acts/approval.pin"];
  const found = await runElsewhere<unknown[]>(
    page,
    `
    const found = [];
    for (const path of ${JSON.stringify(paths)})
      for (const method of ["GET", "POST"])
        found.push(await fetch("${serviceUrl()}" + path, { method, credentials: "include" }).then(() => path, () => "unreadable"));
    window.result = JSON.stringify(found);`,
  );
  expect(found).toEqual(paths.flatMap(() => ["unreadable", "unreadable"]));
});
