import { writeFileSync } from "node:fs";
import type { Page } from "@playwright/test";
import { signingKey } from "@/lib/receipts/receipt-keys";
import { sampleClaims, signedClaims } from "@/lib/testing/sample-receipt";
import { expectAccessible } from "./axe-checks";
import { type App, expect, serviceUrl, test } from "./fixtures";

const main = (page: Page) => page.getByRole("main");

/** Opens the page, and records requests for anything but the page's own files. */
async function openPage(page: Page): Promise<string[]> {
  const sent: string[] = [];
  page.on("request", (request) => {
    const { origin, pathname } = new URL(request.url());
    const own = origin === serviceUrl() && /^\/(verify$|_next\/static\/|favicon\/|icons\/)/.test(pathname);
    if (!own) sent.push(`${request.method()} ${request.url()}`);
  });
  await page.goto("/verify");
  await expect(page.getByLabel("Receipt", { exact: true })).toBeVisible();
  return sent;
}

async function check(page: Page, receipt: string) {
  await page.getByLabel("Receipt", { exact: true }).fill(receipt);
  await page.getByRole("button", { name: "Check the receipt" }).click();
}

async function aReceipt(app: App): Promise<{ receipt: string; id: string }> {
  const id = await app.ask({ question: "Ship it?", once: true });
  await app.call(`/api/approvals/${id}/resolve`, { kind: "option", optionId: "yes", note: "Carefully" });
  const { receipt } = (await (await app.call(`/api/approvals/${id}/receipt`)).json()) as { receipt: string };
  return { receipt, id };
}

/** Signs claims as a receipt, with the service's key. */
const receiptOf = async (claims: object) => (await signingKey()).sign("countersign-receipt+jwt", { ...claims });

test(
  "checks a receipt without a sign-in and without a request",
  {
    tag: "@phone",
  },
  async ({ page, app }, info) => {
    const { receipt, id } = await aReceipt(app);
    await page.context().clearCookies();
    const sent = await openPage(page);
    await check(page, receipt);
    await expect(main(page).getByRole("status")).toContainText("The receipt is valid");
    await expect(main(page)).toContainText("Not the owner’s answer");
    for (const text of [
      "yes",
      "Carefully",
      app.clientId,
      id,
      "or withdrawn by the owner",
      "No passkey signed this answer.",
    ])
      await expect(main(page)).toContainText(text);
    expect(sent).toEqual([]);

    await test.step("rejects a changed receipt", async () => {
      const [head, payload = "", signature] = receipt.split(".");
      const claims = JSON.parse(Buffer.from(payload, "base64url").toString());
      claims.resolution.resolvedBy = "owner";
      await check(page, `${head}.${Buffer.from(JSON.stringify(claims)).toString("base64url")}.${signature}`);
      await expect(main(page).getByRole("alert")).toContainText("The receipt's signature is invalid.");
      await expect(main(page)).not.toContainText("The receipt is valid");
    });

    await test.step("checks a file", async () => {
      const file = info.outputPath("receipt.jws");
      writeFileSync(file, receipt);
      const chooser = page.waitForEvent("filechooser");
      await page.getByRole("button", { name: "Choose a file" }).click();
      await (await chooser).setFiles(file);
      await expect(main(page).getByRole("status")).toContainText("The receipt is valid");
    });
  },
);

test("shows the passkey's signature, and the origin at which the owner signed", async ({ page }) => {
  const lens = "https://lens.example.org";
  const { claims, keys } = signedClaims(serviceUrl(), lens);
  await openPage(page);
  await check(page, await receiptOf(claims));
  await expect(main(page)).toContainText("A passkey signed this answer.");
  await expect(main(page)).toContainText("amount: 86.40 EUR");
  await page.getByLabel("Owner’s keys").fill(JSON.stringify({ ...keys, keys: [] }));
  await page.getByRole("button", { name: "Check the signature" }).click();
  await expect(main(page).getByRole("alert")).toContainText("The passkey is not one of the owner's keys");
  await page.getByLabel("Owner’s keys").fill(JSON.stringify(keys));
  await page.getByRole("button", { name: "Check the signature" }).click();
  await expect(main(page)).toContainText("The owner’s passkey signed this answer");
  await expect(main(page)).toContainText(`The owner signed on a page of ${lens}`);
  await expect(main(page)).toContainText("The passkey is bound to one device.");

  await test.step("forgets the proof when another receipt is checked", async () => {
    // The service signs another answer, and keeps the owner's signature.
    const resolution = { ...claims.resolution, optionId: "keep" };
    await check(page, await receiptOf({ ...claims, resolution }));
    await expect(main(page)).toContainText("option keep");
    await expect(main(page)).toContainText("A passkey signed this answer.");
    await expect(main(page)).not.toContainText("The owner’s passkey signed this answer");
    await check(page, await receiptOf(sampleClaims(serviceUrl(), { optionId: "keep" })));
    await expect(main(page)).toContainText("No passkey signed this answer.");
    await expect(main(page)).not.toContainText("The owner’s passkey signed this answer");
  });
});

test("marks simulated answers, and names the page for another service's receipt", { tag: "@more" }, async ({
  page,
}) => {
  await openPage(page);
  await check(page, await receiptOf({ ...sampleClaims(serviceUrl()), simulated: true }));
  await expect(main(page)).toContainText("A test program gave this answer, and no person did.");
  await check(page, await receiptOf(sampleClaims("https://other.example")));
  await expect(main(page).getByRole("alert")).toContainText("names another service, https://other.example");
});

test("works by keyboard, and moves the focus to the result", { tag: "@more" }, async ({ page }) => {
  await openPage(page);
  await page.getByLabel("Receipt", { exact: true }).fill(await receiptOf(sampleClaims(serviceUrl())));
  await page.keyboard.press("Tab");
  await expect(page.getByRole("button", { name: "Check the receipt" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("status")).toBeVisible();
  await expect(page.locator("div:focus", { has: page.getByRole("status") })).toBeVisible();
});

test.describe("without scripts", () => {
  test.use({ javaScriptEnabled: false });
  test("explains that the check needs JavaScript", async ({ page }) => {
    await page.goto("/verify");
    await expect(main(page)).toContainText("This check needs JavaScript.");
  });
});

test("passes axe on the page that checks receipts", { tag: "@more" }, async ({ page }) => {
  const { claims, keys } = signedClaims(serviceUrl());
  await openPage(page);
  await expectAccessible(page, "/verify");
  await check(page, "Pay?");
  await expectAccessible(page, "a text that is no receipt");
  await check(page, await receiptOf({ ...claims, simulated: true }));
  await page.getByLabel("Owner’s keys").fill(JSON.stringify(keys));
  await page.getByRole("button", { name: "Check the signature" }).click();
  await expect(main(page)).toContainText("The owner’s passkey signed this answer");
  await expectAccessible(page, "a signed receipt");
});
