import { readFileSync } from "node:fs";
import type { Browser } from "@playwright/test";
import { expect, serviceUrl, test } from "../../e2e/fixtures";
import { settle } from "../../e2e/inbox-locators";
import { everyPage } from "./pages";
import { quantile, rounded, table } from "./table";

const rounds = Number(process.env.ROUNDS ?? 20);
/** Limits the run to these pages, separated by commas. */
const only = process.env.LOAD_PAGES?.split(",");

test("measures each page's bytes and processor time", async ({ page, app, browser }) => {
  const rows: (string | number)[][] = [];
  let asked = 0;
  const { paths, close } = await everyPage();
  const cookie = (await page.context().cookies()).map(({ name, value }) => `${name}=${value}`).join("; ");
  const measure = async (name: string, path: string) => {
    if (only && !only.includes(name)) return;
    const url = new URL(path, serviceUrl()).href;
    const get = async () => (await fetch(url, { headers: { cookie, accept: "text/html" } })).text();
    for (let at = 0; at < 10; at++) await get();
    const took: number[] = [];
    const before = ofService();
    let html = "";
    for (let at = 0; at < rounds; at++) {
      const began = performance.now();
      html = await get();
      took.push(performance.now() - began);
    }
    const alone = (ofService() - before) / rounds;
    const load = async () => {
      await page.goto(path);
      await settle(page);
    };
    for (let at = 0; at < 3; at++) await load();
    const requests: string[] = [];
    page.on("request", (request) => requests.push(request.url()));
    const [service, chromium] = [ofService(), await ofBrowser(browser)];
    for (let at = 0; at < rounds; at++) await load();
    const spent = await ofBrowser(browser);
    page.removeAllListeners("request");
    rows.push(
      [
        name,
        html.length,
        quantile(took, 0.5),
        alone,
        (ofService() - service) / rounds,
        ((spent.renderer ?? 0) - (chromium.renderer ?? 0)) / rounds,
        ((spent.other ?? 0) - (chromium.other ?? 0)) / rounds,
        requests.length / rounds,
      ].map((it) => (typeof it === "number" ? rounded(it) : it)),
    );
  };
  for (const [waiting, name] of [
    [10, "ten waiting"],
    [1000, "a thousand waiting"],
  ] as const) {
    for (; asked < waiting; asked += 10)
      await Promise.all(Array.from({ length: 10 }, (_, n) => app.ask({ question: `Question ${asked + n}: ship it?` })));
    await measure(name, "/approvals");
  }
  for (let at = 0; at < 30; at++) await app.push({ title: `Note ${at}` });
  for (const [name, path] of paths.slice(1)) await measure(name, path);
  close();
  const columns = [
    "page",
    "HTML",
    "GET ms",
    "service CPU ms",
    "with a browser",
    "renderer ms",
    "rest of browser ms",
    "requests",
  ];
  table(`Each page load, mean of ${rounds}`, columns, rows);
  expect(rows.length).toBeGreaterThan(0);
});

/** The service's CPU time so far, in milliseconds. */
function ofService(): number {
  const stat = readFileSync(`/proc/${process.env.E2E_SERVICE}/stat`, "utf8");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

async function ofBrowser(browser: Browser) {
  const devtools = await browser.newBrowserCDPSession();
  const { processInfo } = await devtools.send("SystemInfo.getProcessInfo");
  await devtools.detach();
  const sum = (renderers: boolean) =>
    processInfo
      .filter(({ type }) => (type === "renderer") === renderers)
      .reduce((all, it) => all + it.cpuTime * 1000, 0);
  return { renderer: sum(true), other: sum(false) };
}
