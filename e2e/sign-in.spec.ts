import { signIn as signInDirectly } from "@/lib/owners/owners";
import { anOwner } from "@/lib/testing/factories";
import { expect, serviceUrl, signIn, test } from "./fixtures";

test("a wrong password is refused, and the e-mail need not be typed again", async ({ page }) => {
  const { email, password } = await anOwner();
  await page.goto("/sign-in");
  await page.getByLabel("E-mail").fill(email);
  await page.getByLabel("Password").fill("not my password at all");
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByRole("alert").filter({ hasText: "E-mail or password is wrong" })).toBeVisible();
  await expect(page.getByLabel("E-mail")).toHaveValue(email);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page).toHaveURL(/\/approvals/);
});

test("after ten wrong passwords from elsewhere the account is closed for a while", async ({ page }) => {
  const { email, password } = await anOwner();
  // Each from an address of its own, so that it is the account that is counted.
  for (let attempt = 0; attempt < 10; attempt++) {
    const guess = signInDirectly({ email, password: `wrong guess number ${attempt}`, address: `${email} ${attempt}` });
    await expect(guess).rejects.toThrow("E-mail or password is wrong");
  }
  await page.goto("/sign-in");
  await page.getByLabel("E-mail").fill(email);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByRole("alert").filter({ hasText: "Too many attempts. Try again later." })).toBeVisible();
  await expect(page).toHaveURL(/\/sign-in/);
});

test("signing in leads back to the page that was asked for", async ({ page }) => {
  const { email, password } = await anOwner();
  await page.goto("/settings?here=1");
  await expect(page).toHaveURL(/\/sign-in\?next=/);
  await page.getByLabel("E-mail").fill(email);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page).toHaveURL(/\/settings\?here=1$/);
});

const elsewhere = [
  "//evil.example",
  "/\\evil.example",
  "https://evil.example",
  "https:evil.example",
  "/%2f%2fevil.example",
];
elsewhere.push("javascript:alert(1)", "/\t/evil.example", "/..//evil.example");

test("it leads to no other place", async ({ page, owner: _ }) => {
  const origin = serviceUrl();
  for (const next of elsewhere) {
    await page.goto(`/sign-in?next=${encodeURIComponent(next)}`);
    await expect(page, next).toHaveURL(`${origin}/approvals`);
  }
});

test("a forged next in the form leads to no other place either", async ({ page }) => {
  await page.goto("/sign-in");
  const origin = serviceUrl();
  await page.locator("[name=next]").evaluate((it: HTMLInputElement) => (it.value = "//evil.example"));
  const { email, password } = await anOwner();
  await page.getByLabel("E-mail").fill(email);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page).toHaveURL(new RegExp(`^${origin}/approvals`));
});

test("the session's cookie is out of reach of scripts, and signing out ends it", async ({ page }) => {
  await signIn(page, await anOwner());
  const cookies = await page.context().cookies();
  const [cookie, ...others] = cookies.filter(({ name }) => name !== "countersign-look");
  expect(others).toEqual([]);
  // Colours and the like, which the first paint goes by.
  expect(cookies.find(({ name }) => name === "countersign-look")?.value).toMatch(/^\w+\.\w+\.\w+$/);
  expect(cookie).toMatchObject({ httpOnly: true, sameSite: "Lax", path: "/" });
  await page.goto("/settings");
  const more = page.getByText("More", { exact: true });
  if (await more.isVisible()) await more.click();
  await page.getByRole("button", { name: "Sign out", exact: true }).filter({ visible: true }).click();
  await expect(page).toHaveURL(/\/sign-in$/);
  await page.goto("/settings");
  await expect(page).toHaveURL(/\/sign-in\?next=/);
});

test("a page from elsewhere cannot sign the owner out", async ({ page, owner: _ }) => {
  const headers = { origin: "https://evil.example", "sec-fetch-site": "cross-site" };
  expect((await page.request.post("/sign-out", { form: {}, headers, maxRedirects: 0 })).status()).toBe(403);
  await page.goto("/settings");
  await expect(page).toHaveURL(/\/settings$/);
});

test("the start is the inbox, or signing in; sign-up is closed", async ({ page }) => {
  await page.goto("/");
  await expect(page).toHaveURL(/\/sign-in$/);
  expect((await page.goto("/sign-up"))?.status()).toBe(404);
  await signIn(page, await anOwner());
  await page.goto("/");
  await expect(page).toHaveURL(/\/approvals/);
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("signing in and being refused work the same", async ({ page }) => {
    const { email, password } = await anOwner();
    await page.goto("/sign-in?next=/settings");
    await page.getByLabel("E-mail").fill(email);
    await page.getByLabel("Password").fill("not my password at all");
    await page.getByRole("button", { name: "Sign in" }).click();
    await expect(page.getByText("E-mail or password is wrong")).toBeVisible();
    await page.getByLabel("E-mail").fill(email);
    await page.getByLabel("Password").fill(password);
    await page.getByRole("button", { name: "Sign in" }).click();
    await expect(page).toHaveURL(/\/settings$/);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Settings");
  });
});
