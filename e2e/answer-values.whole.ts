import type { Page } from "@playwright/test";
import { changeSettings } from "@/lib/owners/settings";
import { expectClean } from "./axe-checks";
import { type App, expect, test } from "./fixtures";
import { rowOf, settle, theQuestion } from "./inbox-locators";
import { smallTargets } from "./small-targets";

const invoice = {
  question: "Pay the invoice from Stadtwerke?",
  facts: [{ label: "Invoice", value: "2026-1184" }],
  fields: {
    type: "object",
    properties: {
      amount: {
        type: "object",
        format: "money",
        title: "Amount",
        description: "Up to 500.00 EUR",
        currency: "EUR",
        maximum: "500.00",
        default: { amount: "86.40", currency: "EUR" },
      },
      when: { type: "string", format: "date", title: "Pay on", default: "2026-12-01" },
      account: {
        type: "string",
        title: "Account",
        oneOf: [
          { const: "g", title: "Giro" },
          { const: "s", title: "Savings" },
        ],
        default: "g",
      },
      express: { type: "boolean", title: "Pay immediately", default: false },
      lines: {
        type: "object",
        format: "items",
        title: "Items",
        items: [
          { id: "rent", label: "Rent", note: "November" },
          { id: "power", label: "Power" },
          { id: "water", label: "Water" },
        ],
      },
    },
    required: ["amount", "account", "lines"],
  },
  options: [
    { id: "pay", label: "Pay", fields: true },
    { id: "no", label: "Don’t pay" },
  ],
};

async function open(page: Page, app: App, more = {}) {
  const id = await app.ask({ ...invoice, ...more } as never);
  await page.goto(`/approvals/${id}`);
  return id;
}
const option = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
/** Reads to the end of the form, and presses an option. */
async function press(page: Page, name = "Pay") {
  await page.locator("[data-end='the form']").evaluate((end) => end.scrollIntoView({ block: "center" }));
  await settle(page);
  await option(page, name).click();
}
const answer = (page: Page) => page.getByRole("region", { name: "Answer", exact: true });

test("answers with changed values", { tag: "@touch" }, async ({ page, app }, { project }) => {
  const id = await open(page, app);
  await settle(page);
  await expectClean(page, "a question with fields");
  if (project.name === "phone") expect(await smallTargets(page.locator("[data-decision]"))).toEqual([]);
  await page.getByLabel("Amount").fill("80");
  await expect(page.getByText(`${app.name} proposed 86.40 EUR`)).toBeVisible();
  await page.getByRole("button", { name: "Approve all" }).click();
  await page.getByRole("radiogroup", { name: "Power" }).getByLabel("Reject").check();
  await press(page);
  await expect.poll(async () => (await app.read(id)).status).toBe("resolved");
  expect((await app.read(id)).resolution?.values).toEqual({
    amount: { amount: "80.00", currency: "EUR" },
    when: "2026-12-01",
    account: "g",
    express: false,
    lines: { rent: "approve", power: "reject", water: "approve" },
  });
  await page.goto(`/approvals/${id}?status=resolved`);
  await expect(answer(page)).toContainText("80.00 EUR (proposed 86.40 EUR)");
  await expect(answer(page)).toContainText("2 of 3 approved");
  await expect(answer(page)).toContainText("Rejected: Power");
  await expectClean(page, "an answer with values");
});

test("shows what is missing or out of bounds before anything is sent", async ({ page, app }) => {
  const id = await open(page, app);
  await settle(page);
  const amount = page.getByLabel("Amount");
  await amount.fill("500,01");
  await press(page);
  await expect(page.getByText("Must be at most 500.00")).toBeVisible();
  await expect(amount).toBeFocused();
  await expect(amount).toHaveAttribute("aria-invalid", "true");
  await expect(page.locator("[data-field=lines]").getByText("Required")).toBeVisible();
  await expectClean(page, "fields with problems");
  expect((await app.read(id)).status).toBe("pending");
  // An option that takes no fields ignores them.
  await press(page, "Don’t pay");
  await expect.poll(async () => (await app.read(id)).resolution?.optionId).toBe("no");
  expect((await app.read(id)).resolution?.values).toBeUndefined();
});

test("decides rows with single keys, and keeps drafts after a reload", async ({ page, app }) => {
  const id = await open(page, app);
  await settle(page);
  await page.getByLabel("Amount").fill("12,3");
  await page.getByLabel("Pay immediately").check();
  await page.getByRole("radiogroup", { name: "Rent" }).getByLabel("Approve").focus();
  for (const key of ["a", "r", "a"]) await page.keyboard.press(key);
  await page.reload();
  await settle(page);
  await expect(page.getByLabel("Amount")).toHaveValue("12,3");
  await expect(page.getByLabel("Pay immediately")).toBeChecked();
  await expect(page.getByRole("radiogroup", { name: "Power" }).getByLabel("Reject")).toBeChecked();
  // The browser restored the scroll position, so the question was out of view.
  await page.evaluate(() => window.scrollTo(0, 0));
  await settle(page);
  await press(page);
  await expect
    .poll(async () => (await app.read(id)).resolution?.values)
    .toMatchObject({
      amount: { amount: "12.30", currency: "EUR" },
      express: true,
      lines: { rent: "approve", power: "reject", water: "approve" },
    });
});

test("keeps changed values after an undo", async ({ page, owner, app }) => {
  await changeSettings(owner, { undoSeconds: 30 });
  const id = await open(page, app);
  await settle(page);
  await page.getByLabel("Amount").fill("80");
  await page.getByLabel("Pay immediately").check();
  await page.getByLabel("Savings").check();
  await page.getByRole("button", { name: "Reject all" }).click();
  await press(page);
  await page.getByRole("button", { name: "Undo" }).first().click();
  await expect(page.getByLabel("Amount")).toHaveValue("80.00");
  await expect(page.getByLabel("Pay immediately")).toBeChecked();
  await expect(page.getByLabel("Savings")).toBeChecked();
  await expect(page.getByRole("radiogroup", { name: "Power" }).getByLabel("Reject")).toBeChecked();
  await expect(page.getByText(`${app.name} proposed 86.40 EUR`)).toBeVisible();
  expect((await app.read(id)).status).toBe("pending");
});

test("shows no problem of another question's fields", async ({ page, app }) => {
  await app.ask({ ...invoice, question: "Pay the other invoice?" } as never);
  await open(page, app);
  await settle(page);
  await press(page);
  await expect(page.locator("[data-field=lines]").getByText("Required")).toBeVisible();
  await rowOf(page, "Pay the other invoice?").click();
  await expect(theQuestion(page)).toHaveText("Pay the other invoice?");
  await expect(page.locator("[data-field=lines]")).toBeVisible();
  await expect(page.getByText("Required")).toHaveCount(0);
});

test("accepts an answer without values while a value is invalid", async ({ page, app }) => {
  const properties = { mail: { type: "string", format: "email", title: "Mail" } };
  const id = await open(page, app, { fields: { type: "object", properties } });
  await settle(page);
  await page.getByLabel("Mail").fill("nobody");
  await page.getByText("Write an answer").click();
  await page.getByLabel("Your own answer").fill("Ask me on Monday");
  await press(page, "Send this answer");
  await expect.poll(async () => (await app.read(id)).resolution?.otherText).toBe("Ask me on Monday");
});

test("does not send a partly entered date as empty", async ({ page, app }) => {
  const properties = { when: { type: "string", format: "date", title: "Pay on" } };
  const id = await open(page, app, { fields: { type: "object", properties } });
  await settle(page);
  await page.getByLabel("Pay on").focus();
  await page.keyboard.type("12");
  await press(page);
  await expect(page.getByText("Complete this value, or clear it")).toBeVisible();
  expect((await app.read(id)).status).toBe("pending");
  await page.getByLabel("Pay on").fill("2026-12-01");
  await press(page);
  await expect.poll(async () => (await app.read(id)).resolution?.values).toEqual({ when: "2026-12-01" });
});

test("asks to read the form before the first answer", async ({ page, app }) => {
  const id = await open(page, app);
  await settle(page);
  await option(page, "Pay").click();
  await expect(page.getByText("The rest of the form is unread. Press again to answer anyway.")).toBeVisible();
  expect((await app.read(id)).status).toBe("pending");
});

test("signs the values of a question with high risk", async ({ page, app }) => {
  const id = await open(page, app, { risk: "high" });
  await settle(page);
  await page.getByRole("button", { name: "Reject all" }).click();
  await press(page);
  const sheet = page.getByRole("dialog");
  await expect(sheet).toContainText("86.40 EUR");
  await expect(sheet).toContainText("0 of 3 approved");
  await expectClean(page, "the signing sheet with values");
  await sheet.getByRole("button", { name: "Hold to sign" }).focus();
  await page.keyboard.down("Enter");
  await expect.poll(async () => (await app.read(id)).resolution?.values).toMatchObject({ lines: { rent: "reject" } });
  await page.keyboard.up("Enter");
});

test.describe("without scripts", () => {
  test.use({ javaScriptEnabled: false });
  test("answers with values, and keeps them after an error", async ({ page, app }) => {
    const { lines } = invoice.fields.properties;
    await open(page, app, { fields: { type: "object", properties: { lines }, required: ["lines"] } });
    await option(page, "Pay").click();
    await expect(page.locator("[data-field=lines]").getByText("Required")).toBeVisible();
    const id = await open(page, app);
    await page.getByLabel("Amount").fill("600");
    await page.getByLabel("Pay immediately").check();
    await option(page, "Pay").click();
    await expect(page.getByText("Must be at most 500.00").first()).toBeVisible();
    await expect(page.getByLabel("Amount")).toHaveValue("600");
    await expect(page.getByLabel("Pay immediately")).toBeChecked();
    await page.getByLabel("Amount").fill("60,5");
    for (const row of ["Rent", "Power", "Water"])
      await page.getByRole("radiogroup", { name: row }).getByLabel("Approve").check();
    await option(page, "Pay").click();
    await expect(answer(page)).toContainText("60.50 EUR");
    expect((await app.read(id)).resolution?.values).toMatchObject({ express: true });
  });
});
