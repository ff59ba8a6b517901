import type { Page } from "@playwright/test";
import { anOwner } from "@/lib/testing/factories";
import { expect, test } from "./fixtures";
import { anAccountAtCorp } from "./linked-accounts";
import { aBrowserApp } from "./oauth-app";

/** Transferred bytes by resource type, for one page with an empty cache. */
async function weigh(page: Page, path: string): Promise<Record<string, number>> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Network.enable");
  await devtools.send("Network.setCacheDisabled", { cacheDisabled: true });
  const kinds = new Map<string, string>();
  const bytes: Record<string, number> = { Script: 0, Stylesheet: 0, Font: 0 };
  const hosts = new Set<string>();
  devtools.on("Network.responseReceived", ({ requestId, type, response }) => {
    kinds.set(requestId, type);
    // Inline resources (`data:`) make no requests.
    if (response.url.startsWith("http")) hosts.add(new URL(response.url).origin);
  });
  devtools.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    const kind = kinds.get(requestId) ?? "";
    bytes[kind] = (bytes[kind] ?? 0) + encodedDataLength;
  });
  await page.goto(path, { waitUntil: "networkidle" });
  const { origin } = new URL(page.url());
  expect([...hosts], `${path} asks nobody else for anything`).toEqual([origin]);
  await devtools.detach();
  return bytes;
}

test("limits the JavaScript, CSS and font bytes that each page downloads", { tag: "@more" }, async ({
  page,
  owner,
  app,
}) => {
  await app.ask({});
  await app.push({});
  const pilot = await aBrowserApp(await anOwner());
  const weights: Record<string, Record<string, number>> = {};
  const account = await anAccountAtCorp(owner, { asked: ["mail.read"] });
  const linked = ["/integrations", `/integrations/${account}`, "/integrations/link", "/integrations/link/corp"];
  for (const path of [
    "/approvals",
    "/notifications",
    "/apps",
    "/activity",
    "/developer",
    "/settings",
    "/settings/alerts",
    ...linked,
    pilot.authorizeUrl("approvals:write"),
  ]) {
    weights[path.replace(/\?.*/, "")] = await weigh(page, path);
  }
  await page.context().clearCookies();
  for (const path of ["/sign-in", "/verify"]) weights[path] = await weigh(page, path);
  console.log(JSON.stringify(weights));
  for (const [path, { Script, Stylesheet, Font }] of Object.entries(weights)) {
    expect(Script, `${path}: JavaScript`).toBeLessThanOrEqual(path === "/approvals" ? 160_000 : 140_000);
    expect(Stylesheet, `${path}: CSS`).toBeLessThanOrEqual(20_000);
    expect(Font, `${path}: fonts`).toBeLessThanOrEqual(53_000);
  }
  pilot.close();
});
