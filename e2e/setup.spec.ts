import { expect, test } from "./fixtures";

const account = { name: "Ana Ferro", email: "ana@acme.example", password: "four words in a row" };

test("from the link in the log to the first steps, once", async ({ page, emptyService: { url, setupLink } }) => {
  test.slow();
  await page.goto(url);
  await expect(page.getByText("Open the set-up link")).toBeVisible();
  await page.goto(`${url}/sign-in`);
  await expect(page).toHaveURL(`${url}/`);

  const wrong = await page.goto(setupLink.replace(/.$/, (last) => (last === "A" ? "B" : "A")));
  expect(wrong?.status()).toBe(404);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("This set-up link does not work");

  await page.goto(setupLink);
  await page.getByLabel("Your name").fill(account.name);
  await page.getByLabel("E-mail").fill(account.email);
  await page.getByLabel("Password").fill("fifteen at least");
  await page.getByLabel("Password").evaluate((it: HTMLInputElement) => it.removeAttribute("minlength"));
  await page.getByLabel("Password").fill("too short");
  await page.getByRole("button", { name: "Create your account" }).click();
  await expect(page.locator("[id$=-error]")).toContainText("at least 15 characters");
  await expect(page.getByLabel("E-mail")).toHaveValue(account.email);
  await page.getByLabel("Password").fill(account.password);
  await page.getByRole("button", { name: "Create your account" }).click();

  await expect(page).toHaveURL(`${url}/developer`);
  await expect(page.getByRole("list", { name: "First steps" })).toContainText("Register an app");
  expect((await page.goto(setupLink))?.status()).toBe(404);
  await page.goto(url);
  await expect(page).toHaveURL(/\/approvals/);
});
