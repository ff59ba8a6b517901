import { readFile } from "node:fs/promises";
import { anOwner } from "@/lib/testing/factories";
import { enter, expect, test } from "./fixtures";

// The receipt must be within reach on every browser.
test.use({ javaScriptEnabled: false });

test("shows and downloads an answer's receipt when scripts are off", async ({ page, app }) => {
  const facts = [{ label: "Amount", value: "86.40 €" }];
  const id = await app.ask({ question: "Ship it?", facts });
  await page.goto(`/approvals/${id}/receipt`);
  await expect(page.getByText("This question doesn’t have a final answer yet.")).toBeVisible();
  await page.getByRole("link", { name: "Question", exact: true }).click();
  await page.getByText("Add a note").click();
  await page.getByLabel(/Note to/).fill("Carefully");
  await page.getByRole("button", { name: "Yes" }).click();
  await page.getByRole("link", { name: "Receipt" }).click();

  await expect(page).toHaveURL(`/approvals/${id}/receipt`);
  await expect(page.getByRole("heading", { name: "Receipt", exact: true })).toBeVisible();
  const { contentHash } = await app.read(id);
  const shown = page.getByRole("main");
  for (const text of ["Ship it?", "86.40 €", "Yes", "Carefully", app.name, contentHash.slice(7, 11)])
    await expect(shown).toContainText(text);
  await expect(shown).toContainText("Answered byYou");
  await expect(shown.getByRole("link", { name: "How to check a receipt" })).toHaveAttribute(
    "href",
    /^\/docs\/receipts/,
  );
  const download = page.waitForEvent("download");
  await page.getByRole("link", { name: "Download receipt" }).click();
  const file = await download;
  expect(file.suggestedFilename()).toBe(`countersign-receipt-${id}.jws`);
  const { receipt } = (await (await app.call(`/api/approvals/${id}/receipt`)).json()) as { receipt: string };
  expect(await readFile(await file.path(), "utf8")).toBe(receipt);
});

test("links an earlier answer to its receipt", async ({ page, app }) => {
  const id = await app.ask({ question: "Ship it?" });
  await app.call(`/api/approvals/${id}/resolve`, { kind: "option", optionId: "no" });
  await page.goto(`/approvals/${id}?status=resolved`);
  await page.getByRole("link", { name: "Receipt" }).click();
  await expect(page.getByRole("main")).toContainText(`Answered by${app.name}, not you`);
});

test("responds with 404 for another owner's receipt", async ({ page, app }) => {
  const id = await app.ask({});
  await app.call(`/api/approvals/${id}/resolve`, { kind: "option", optionId: "yes" });
  const paths = [`/approvals/${id}/receipt`, `/approvals/${id}/receipt/download`];
  for (const path of paths) expect((await page.request.get(path)).status()).toBe(200);
  await enter(page, await anOwner());
  for (const path of [...paths, "/approvals/apr_x/receipt"]) expect((await page.request.get(path)).status()).toBe(404);
  // A missing page has the application's style.
  await page.goto(paths[0] ?? "");
  await expect(page.getByRole("heading", { name: "Page not found" })).toHaveCSS("font-family", /^geist/i);
  await page.context().clearCookies();
  for (const path of paths)
    expect((await page.request.get(path, { maxRedirects: 0 })).headers().location).toMatch(/^\/sign-in\?next=/);
});
