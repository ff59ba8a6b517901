import type { Page } from "@playwright/test";
import { test } from "../../e2e/fixtures";
import { everyPage } from "./pages";
import { table } from "./table";

test("measures bytes transferred per page", async ({ page, owner: _, app }) => {
  await app.ask({});
  await app.push({});
  const { paths, close } = await everyPage();
  const rows: (string | number)[][] = [];
  for (const [name, path] of paths) rows.push([name, ...(await weigh(page, path))]);
  close();
  await page.context().clearCookies();
  rows.push(["sign-in", ...(await weigh(page, "/sign-in"))]);
  table("Bytes over the wire, nothing in the cache", ["page", "JavaScript", "CSS", "fonts", "all"], rows);
});

/** The transferred bytes of JavaScript, CSS, fonts and everything. */
async function weigh(page: Page, path: string): Promise<number[]> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Network.enable");
  await devtools.send("Network.setCacheDisabled", { cacheDisabled: true });
  const kinds = new Map<string, string>();
  const bytes = new Map<string, number>();
  devtools.on("Network.responseReceived", ({ requestId, type }) => kinds.set(requestId, type));
  devtools.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    for (const kind of [kinds.get(requestId) ?? "", "all"]) bytes.set(kind, (bytes.get(kind) ?? 0) + encodedDataLength);
  });
  await page.goto(path);
  await page.waitForLoadState("load");
  await page.waitForTimeout(1500);
  await devtools.detach();
  return ["Script", "Stylesheet", "Font", "all"].map((kind) => bytes.get(kind) ?? 0);
}
