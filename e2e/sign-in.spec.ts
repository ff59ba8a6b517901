import { db } from "@/lib/database/db";
import { AppError } from "@/lib/errors";
import { keyOf } from "@/lib/owners/fixed-window-limiter";
import { limitedSignIn } from "@/lib/owners/sign-in-limits";
import { anOwner } from "@/lib/testing/factories";
import { expectAccessible } from "./axe-checks";
import { enter, expect, serviceUrl, signIn, test } from "./fixtures";
import { sent } from "./page-html";

test("returns to the requested page if sign-in succeeds after a wrong password", async ({ page }) => {
  const { email, password } = await anOwner();
  await page.goto("/settings?here=1");
  await expect(page).toHaveURL(/\/sign-in\?next=/);
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password").fill("not my password at all");
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByRole("alert").filter({ hasText: "The email or password is wrong" })).toBeVisible();
  await expect(page.getByLabel("Email")).toHaveValue(email);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page).toHaveURL(/\/settings\?here=1$/);
});

/** Attackers from many addresses keep guessing the password. */
async function underFire(email: string) {
  const wrong = () => Promise.reject(new AppError(401, "Wrong"));
  for (let nth = 0; nth < 5; nth++) {
    await limitedSignIn("password", { email, address: `198.51.100.${nth}` }, wrong).catch(() => {});
  }
  await db.$executeRaw`
    UPDATE throttle SET expires_at = now() + interval '1 hour' WHERE key = ${keyOf("password-account", email)}`;
}

test("lets owners sign in only from known browsers during a guessing attack", { tag: "@more" }, async ({
  page,
  browser,
}) => {
  const owner = await anOwner();
  await signIn(page, owner);
  await page.context().clearCookies({ name: "countersign-session" });
  await underFire(owner.email);
  const elsewhere = await browser.newPage({ baseURL: serviceUrl() });
  await elsewhere.goto("/sign-in");
  await elsewhere.getByLabel("Email").fill(owner.email);
  await elsewhere.getByLabel("Password").fill(owner.password);
  await elsewhere.getByRole("button", { name: "Sign in" }).click();
  await expect(elsewhere.getByRole("alert").filter({ hasText: /^Too many attempts\. Try again in / })).toBeVisible();
  await elsewhere.close();
  await signIn(page, owner);
  await expect(page).toHaveURL(/\/approvals/);
});

test("shows a notice about failed sign-ins until the owner dismisses the notice", async ({ page }) => {
  const owner = await anOwner();
  await underFire(owner.email);
  await expect.poll(() => db.failedSignIn.count({ where: { ownerId: owner.ownerId } })).toBeGreaterThan(0);
  await db.$executeRaw`DELETE FROM throttle WHERE key = ${keyOf("password-account", owner.email)}`;
  await signIn(page, owner);
  const notice = page.getByRole("complementary", { name: "Failed sign-ins" });
  await expect(notice).toContainText(/^5 failed sign-ins to your account, the latest .+\. See details$/);
  await expectAccessible(page, "a page that tells of failed sign-ins");
  // Simulates a delay of two minutes.
  await db.$executeRaw`
    UPDATE failed_sign_in SET minute = minute - interval '2 minutes' WHERE owner_id = ${owner.ownerId}`;
  await expect
    .poll(() => db.event.count({ where: { ownerId: owner.ownerId, type: "owner.sign_in_refused" } }))
    .toBeGreaterThan(0);
  await notice.getByRole("link", { name: "See details" }).click();
  await expect(page.getByText(/failed sign-ins? with a password, from 198\.51\.100\./).first()).toBeVisible();
  await notice.getByRole("button", { name: "Dismiss" }).click();
  await expect(notice).toHaveCount(0);
  const { html } = await sent(page, "/approvals");
  expect([html.includes("<h1"), html.includes("Failed sign-ins")]).toEqual([true, false]);
});

const elsewhere = [
  "//evil.example",
  "/\\evil.example",
  "https://evil.example",
  "https:evil.example",
  "/%2f%2fevil.example",
];
elsewhere.push("javascript:alert(1)", "/\t/evil.example", "/..//evil.example");

test("rejects redirect targets on other sites and sign-outs from other sites", async ({ page, owner: _ }) => {
  const origin = serviceUrl();
  for (const next of elsewhere) {
    const reply = await page.request.get(`/sign-in?next=${encodeURIComponent(next)}`, { maxRedirects: 0 });
    expect([next, reply.status()]).toEqual([next, 307]);
    expect([next, new URL(reply.headers().location ?? "", origin).href]).toEqual([next, `${origin}/approvals`]);
  }
  const headers = { origin: "https://evil.example", "sec-fetch-site": "cross-site" };
  expect((await page.request.post("/sign-out", { form: {}, headers, maxRedirects: 0 })).status()).toBe(403);
  expect((await page.request.get("/settings", { maxRedirects: 0 })).status()).toBe(200);
});

test("states on the sign-in page that an answer was not sent", async ({ page }) => {
  await anOwner();
  const told = async (query: string) => (await sent(page, `/sign-in?next=/approvals${query}`)).html;
  expect(await told("&unsent=choice")).toContain("Your answer wasn’t sent. Sign in and answer again.");
  for (const query of ["", "&unsent=", "&unsent=toString"]) expect(await told(query)).not.toContain("wasn’t sent");
});

test("ignores a forged redirect target in the sign-in form", async ({ page }) => {
  await page.goto("/sign-in");
  await page.locator("[name=next]").evaluate((it: HTMLInputElement) => (it.value = "//evil.example"));
  const { email, password } = await anOwner();
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page).toHaveURL(new RegExp(`^${serviceUrl()}/approvals`));
  const cookies = await page.context().cookies();
  const named = (name: string) => cookies.find((cookie) => cookie.name === `countersign-${name}`);
  expect(cookies).toHaveLength(3);
  // The preferences that the first paint needs, like the theme.
  expect(named("look")?.value).toMatch(/^\w+\.\w+\.\w+$/);
  for (const name of ["session", "browser"]) {
    expect(named(name)).toMatchObject({ httpOnly: true, sameSite: "Lax", path: "/" });
  }
  await page.locator("summary", { hasText: "Your account" }).click();
  await page.getByRole("button", { name: "Sign out", exact: true }).filter({ visible: true }).click();
  await expect(page).toHaveURL(/\/sign-in$/);
  expect((await page.request.get("/settings")).url()).toMatch(/\/sign-in\?next=/);
});

test("redirects the root path to the inbox only for a signed-in owner", async ({ page }) => {
  const start = async () => new URL((await page.request.get("/")).url()).pathname;
  expect(await start()).toBe("/sign-in");
  expect((await page.request.get("/sign-up")).status()).toBe(404);
  await enter(page, await anOwner());
  expect(await start()).toBe("/approvals");
});

test.describe(() => {
  test.use({ javaScriptEnabled: false });

  test("signs in when scripts are off", async ({ page }) => {
    const { email, password } = await anOwner();
    await page.goto("/sign-in?next=/settings");
    await page.getByLabel("Email").fill(email);
    await page.getByLabel("Password").fill("not my password at all");
    await page.getByRole("button", { name: "Sign in" }).click();
    await expect(page.getByText("The email or password is wrong")).toBeVisible();
    await page.getByLabel("Email").fill(email);
    await page.getByLabel("Password").fill(password);
    await page.getByRole("button", { name: "Sign in" }).click();
    await expect(page).toHaveURL(/\/settings$/);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Settings");
  });
});
