import { chromium } from "@playwright/test";
import { freePort } from "@/lib/net/free-port";
import { findChromium } from "@/lib/testing/find-chromium";
import { expect, serviceUrl, test } from "../../e2e/fixtures";
import { npmExec } from "../../e2e/npm-exec";
import { everyPage } from "./pages";
import { quantile, rounded, table } from "./table";

const runs = Number(process.env.LIGHTHOUSE_RUNS ?? 5);
/** Limits the run to these pages, separated by commas: "/approvals,sign-in". */
const only = process.env.LIGHTHOUSE_PAGES?.split(",");
/**
 * "simulate" estimates from all requests before the page was painted. "devtools" loads the page at
 * a phone's speed.
 */
const throttling = process.env.LIGHTHOUSE_THROTTLING ?? "simulate";
const formFactors = (process.env.LIGHTHOUSE_AS?.split(",") ?? ["desktop", "mobile"]) as ("desktop" | "mobile")[];

test("measures Lighthouse scores on a phone and a desktop", async ({ page, owner: _, app }) => {
  for (let at = 0; at < 5; at++) {
    await app.ask({ question: `Question ${at}?` });
    await app.push({ title: `Note ${at}` });
  }
  // Lighthouse drives its own browser through the debugging port.
  const port = await freePort("127.0.0.1");
  const executablePath = findChromium(true);
  const browser = await chromium.launchPersistentContext("", {
    ...(executablePath && { executablePath }),
    args: [`--remote-debugging-port=${port}`, ...(process.getuid?.() === 0 ? ["--no-sandbox"] : [])],
  });
  await browser.addCookies(await page.context().cookies());
  const { paths, close } = await everyPage();
  const rows: (string | number)[][] = [];
  const short: string[] = [];
  for (const [name, path] of [...paths, ["sign-in", "/sign-in"] as const]) {
    if (only && !only.includes(name)) continue;
    if (name === "sign-in") await browser.clearCookies();
    for (const formFactor of formFactors) {
      const url = new URL(path, serviceUrl()).href;
      const lcp: number[] = [];
      const tbt: number[] = [];
      const cls: number[] = [];
      let lost = 0;
      const scores = { accessibility: 100, "best-practices": 100 };
      for (let run = 0; run < runs; run++) {
        const { audits, categories, runtimeError } = await lighthouse(url, port, formFactor);
        // On a busy machine, Lighthouse sometimes loses its page. Such a run has no result.
        if (runtimeError && lost++ < 3) {
          run--;
          continue;
        }
        lcp.push(audits["largest-contentful-paint"]?.numericValue ?? Number.NaN);
        tbt.push(audits["total-blocking-time"]?.numericValue ?? Number.NaN);
        cls.push(audits["cumulative-layout-shift"]?.numericValue ?? Number.NaN);
        for (const category of ["accessibility", "best-practices"] as const) {
          const score = Math.round((categories[category]?.score ?? 0) * 100);
          scores[category] = Math.min(scores[category], score);
          const wrong = (categories[category]?.auditRefs ?? []).filter(
            ({ id, weight }) => weight > 0 && (audits[id]?.score ?? 1) < 1,
          );
          if (score < 100)
            short.push(`${name} (${formFactor}), ${category} ${score}: ${wrong.map(({ id }) => id).join(", ")}`);
        }
      }
      const middle = (values: number[]) => rounded(quantile(values, 0.5));
      rows.push([
        name,
        formFactor,
        middle(lcp),
        middle(tbt),
        middle(cls),
        scores.accessibility,
        scores["best-practices"],
      ]);
    }
  }
  close();
  await browser.close();
  const columns = ["page", "as", "LCP ms", "TBT ms", "CLS", "accessibility", "best practices"];
  table(`Lighthouse (${throttling}), medians of ${runs}, lowest scores`, columns, rows);
  expect([...new Set(short)]).toEqual([]);
});

type Report = {
  audits: Record<string, { numericValue?: number; score: number | null }>;
  categories: Record<string, { score: number | null; auditRefs: { id: string; weight: number }[] }>;
  runtimeError?: object;
};

/** Lighthouse and its 180 packages are installed only for these figures. */
async function lighthouse(url: string, port: number, formFactor: "desktop" | "mobile"): Promise<Report> {
  const { out, said } = await npmExec("lighthouse@12.8.2", [
    ...["lighthouse", url, `--port=${port}`, "--output=json", "--quiet", "--no-enable-error-reporting"],
    "--only-categories=performance,accessibility,best-practices",
    `--throttling-method=${throttling}`,
    ...(formFactor === "desktop" ? ["--preset=desktop"] : []),
  ]);
  if (!out.startsWith("{")) throw new Error(`Lighthouse could not be run: ${said}`);
  return JSON.parse(out);
}
