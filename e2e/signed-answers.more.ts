import { readFileSync } from "node:fs";
import http from "node:http";
import type { Page } from "@playwright/test";
import type { Approval } from "@/lib/approvals/schema";
import { changeSettings } from "@/lib/owners/settings";
import { lensPath } from "@/lib/testing/build-lens";
import { expectAccessible } from "./axe-checks";
import { type App, expect, test } from "./fixtures";
import { settle } from "./inbox-locators";
import { plugInAuthenticator } from "./virtual-authenticator";

const signed = { question: "Pay invoice 17?", signedByOwner: true } as const;
const sheet = (page: Page) => page.getByRole("dialog");
const signButton = (page: Page) => sheet(page).getByRole("button", { name: "Sign with your passkey" });
const option = (page: Page, name: string) => page.locator("[data-decision] button[name=optionId]", { hasText: name });
const signatureOf = ({ resolution }: Approval) => resolution?.signature;

/** Adds a passkey on the settings page. @returns the authenticator that holds it */
async function addPasskey(page: Page) {
  const authenticator = await plugInAuthenticator(page);
  await page.goto("/settings/security");
  await page.locator("#passkeys").getByLabel("Name").fill("Phone");
  await page.getByRole("button", { name: "Add a passkey" }).click();
  await expect(page.getByText("Passkey added")).toBeVisible();
  return authenticator;
}

async function open(page: Page, app: App, ask: Parameters<App["ask"]>[0] = signed) {
  const id = await app.ask(ask);
  await page.goto(`/approvals/${id}`);
  await settle(page);
  return id;
}

test("signs an answer with one press and one touch @phone", async ({ page, app }) => {
  await addPasskey(page);
  const id = await open(page, app);
  await option(page, "Yes").click();
  await expect(sheet(page)).toHaveAccessibleName("Yes");
  await expect(signButton(page)).toBeFocused();
  await expect(sheet(page)).toContainText("Not sent yet");
  await page.keyboard.press("Enter");
  await expect(sheet(page)).toHaveAccessibleName("Signed");
  await expect.poll(async () => signatureOf(await app.read(id))).toBeDefined();
  const { resolution } = await app.read(id);
  const statement = JSON.parse(resolution?.signature?.statement ?? "{}");
  expect(statement.answers).toEqual([{ approval: id, contentHash: expect.any(String), option: "yes" }]);
  await page.goto(`/approvals/${id}`);
  await expect(page.getByRole("region", { name: "Answer", exact: true })).toContainText("Signed with your passkey");
});

test("shows what the passkey signs, for a check on another device", { tag: "@more" }, async ({ page, app }) => {
  await addPasskey(page);
  await open(page, app);
  await option(page, "Yes").click();
  const summary = sheet(page).locator("summary");
  await expect(summary).toHaveText(/^Check on another device([0-9a-f]{4} ?){4}$/);
  await summary.click();
  await expect(sheet(page).getByRole("img", { name: "QR code of the signing request" })).toBeVisible();
  await expect(sheet(page).locator("details p").first()).toHaveText(/^([a-z]+ ){5}[a-z]+$/);
  await expectAccessible(page, "signing sheet with a passkey");
});

test("sends nothing if the passkey is not confirmed, and signs on the next try", async ({ page, app }) => {
  const authenticator = await addPasskey(page);
  const id = await open(page, app);
  await authenticator.verifies(false);
  await option(page, "Yes").click();
  await signButton(page).click();
  await expect(sheet(page).getByText("The passkey dialog closed or timed out. Try again.")).toBeVisible();
  expect((await app.read(id)).status).toBe("pending");
  await authenticator.verifies(true);
  await signButton(page).click();
  await expect(sheet(page)).toHaveAccessibleName("Signed");
  await expect.poll(async () => signatureOf(await app.read(id))).toBeDefined();
});

test("signs an answer with a note", { tag: "@more" }, async ({ page, app }) => {
  await addPasskey(page);
  const id = await open(page, app);
  const form = page.getByRole("form", { name: "Your answer" });
  await form.getByText("Add a note").click();
  await form.getByLabel(/^Note/).fill("Only this one.");
  await option(page, "Yes").click();
  await expect(sheet(page)).toContainText("Only this one.");
  await signButton(page).click();
  await expect.poll(async () => signatureOf(await app.read(id))).toBeDefined();
  const { resolution } = await app.read(id);
  const { answers } = JSON.parse(resolution?.signature?.statement ?? "{}");
  expect(answers[0]).toMatchObject({ option: "yes", noteHash: expect.stringMatching(/^sha256:[0-9a-f]{64}$/) });
});

test("holds a signed answer for the undo period, and signs again after undoing it", { tag: "@more" }, async ({
  page,
  app,
  owner,
}) => {
  await addPasskey(page);
  await changeSettings(owner, { undoSeconds: 30 });
  const id = await open(page, app);
  await option(page, "Yes").click();
  await signButton(page).click();
  await sheet(page).getByRole("button", { name: /^Undo/ }).click();
  await expect(option(page, "Yes")).toBeVisible();
  expect((await app.read(id)).status).toBe("pending");
  await settle(page);
  await option(page, "Yes").click();
  await signButton(page).click();
  await expect(sheet(page)).toHaveAccessibleName("Signed");
});

test("signs one statement for several questions", { tag: "@more" }, async ({ page, app }) => {
  await addPasskey(page);
  const ids = [];
  for (const nth of [1, 2, 3]) ids.push(await app.ask({ ...signed, question: `Pay invoice ${nth}?` }));
  await page.goto("/approvals");
  await settle(page);
  await page.keyboard.press("x");
  for (const _ of [2, 3]) await page.keyboard.press("Shift+J");
  await page
    .getByRole("button", { name: /^Answer/ })
    .first()
    .click();
  await sheet(page).getByRole("button", { name: /Yes/ }).first().click();
  await sheet(page)
    .getByRole("button", { name: /^Answer 3 questions/ })
    .click();
  await signButton(page).click();
  for (const id of ids) await expect.poll(async () => signatureOf(await app.read(id))).toBeDefined();
  const { resolution } = await app.read(ids[0] ?? "");
  const { answers } = JSON.parse(resolution?.signature?.statement ?? "{}");
  expect(answers.map(({ approval }: { approval: string }) => approval).sort()).toEqual(ids.sort());
});

test("signs the values that the owner allows", async ({ page, app }) => {
  await addPasskey(page);
  const id = await open(page, app, {
    ...signed,
    fields: {
      type: "object",
      properties: { amount: { type: "object", format: "money", title: "Amount", currency: "EUR" } },
      required: ["amount"],
    } as never,
    options: [
      { id: "yes", label: "Yes", fields: true },
      { id: "no", label: "No" },
    ],
  });
  await page.getByLabel("Amount").fill("80.00");
  await option(page, "Yes").click();
  await expect(sheet(page)).toContainText("80.00");
  await signButton(page).click();
  await expect.poll(async () => signatureOf(await app.read(id))).toBeDefined();
  const { statement = "{}" } = signatureOf(await app.read(id)) ?? {};
  expect(JSON.parse(statement).answers[0].values).toEqual({ amount: { amount: "80.00", currency: "EUR" } });
});

test("explains that a browser without passkeys can't sign", { tag: "@more" }, async ({ page, app }) => {
  await addPasskey(page);
  await page.addInitScript(() => Reflect.deleteProperty(window, "PublicKeyCredential"));
  const id = await open(page, app);
  await option(page, "Yes").click();
  await signButton(page).click();
  await expect(sheet(page).getByText("This browser couldn’t use a passkey. Try another browser.")).toBeVisible();
  expect((await app.read(id)).status).toBe("pending");
});

test("asks for a passkey if the owner removed the last one @phone", async ({ page, app }) => {
  await addPasskey(page);
  const id = await app.ask(signed);
  await page.goto("/settings/security");
  await page.getByRole("list", { name: "Your passkeys" }).getByRole("button", { name: "Remove" }).click();
  await page.getByRole("button", { name: "Remove" }).last().click();
  await page.goto(`/approvals/${id}`);
  await expect(page.getByText("This answer needs your passkey")).toBeVisible();
  await expect(option(page, "Yes")).toHaveCount(0);
  await page.getByRole("link", { name: "Add a passkey" }).click();
  await expect(page).toHaveURL(/\/settings\/security$/);
});

test("signs every answer if the owner's settings say so", { tag: "@more" }, async ({ page, app }) => {
  await addPasskey(page);
  await page.goto("/settings/answering");
  await page.getByRole("switch", { name: "Sign every answer with my passkey" }).click();
  await expect(page.getByRole("switch", { name: "Sign every answer with my passkey" })).toBeChecked();
  const id = await open(page, app, { question: "Ship it?" });
  await option(page, "Yes").click();
  await signButton(page).click();
  await expect.poll(async () => signatureOf(await app.read(id))).toBeDefined();
});

test("signs in the lens if the app requires it, and sends nothing after the sheet closes", async ({ page, app }) => {
  const lens = http.createServer((_, res) => {
    res.setHeader("content-type", "text/html; charset=utf-8");
    res.end(readFileSync(lensPath));
  });
  const { E2E_LENS = "" } = process.env;
  await new Promise<void>((resolve) => lens.listen(Number(new URL(E2E_LENS).port), "127.0.0.1", resolve));
  const openLens = async () => {
    const opened = page.waitForEvent("popup");
    await sheet(page).getByRole("button", { name: "Sign in the lens" }).click();
    return opened;
  };
  const authenticator = await addPasskey(page);
  const id = await open(page, app, { ...signed, signedByOwner: "in-lens" });
  await option(page, "Yes").click();
  const abandoned = await openLens();
  await expect(abandoned.getByRole("heading", { name: "Pay invoice 17?" })).toBeVisible();
  const closed = abandoned.waitForEvent("close");
  await sheet(page).getByRole("button", { name: "Cancel" }).click();
  await closed;
  expect((await app.read(id)).status).toBe("pending");
  await option(page, "Yes").click();
  const popup = await openLens();
  await authenticator.copyTo(popup);
  await expect(popup.getByRole("heading", { name: "Pay invoice 17?" })).toBeVisible();
  await popup.getByRole("button", { name: "Sign with your passkey" }).click();
  await expect(sheet(page)).toHaveAccessibleName("Signed");
  await expect.poll(async () => signatureOf(await app.read(id))).toBeDefined();
  const { clientDataJSON = "" } = signatureOf(await app.read(id)) ?? {};
  expect(JSON.parse(Buffer.from(clientDataJSON, "base64url").toString())).toMatchObject({ origin: E2E_LENS });
  lens.close();
});

test.describe("without scripts", () => {
  test.use({ javaScriptEnabled: false });
  test("explains that the signature needs scripts", async ({ page, app, owner }) => {
    const { db } = await import("@/lib/database/db");
    await db.passkey.create({
      data: {
        id: `key_${owner.ownerId}`,
        ownerId: owner.ownerId,
        name: "Phone",
        transports: [],
        publicKey: Buffer.from([0]),
        counter: 0,
      },
    });
    const id = await app.ask({ ...signed, signedByOwner: "when-possible" });
    await page.goto(`/approvals/${id}`);
    // Text locators skip the contents of <noscript>.
    await expect(page.locator("noscript p")).toBeVisible();
    await expect(page.locator("noscript p")).toContainText("You sign this answer with your passkey");
    await option(page, "Yes").click();
    await expect(page.getByText("Sign this answer with your passkey.")).toBeVisible();
    expect((await app.read(id)).status).toBe("pending");
  });
});
