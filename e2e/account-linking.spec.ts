import type { Page } from "@playwright/test";
import { db } from "@/lib/database/db";
import { anOwner } from "@/lib/testing/factories";
import { leaked } from "@/lib/testing/find-secrets-in-text";
import { expect, serviceUrl, signIn, test } from "./fixtures";
import { allowThere, identity, setOut, someAccount } from "./identity-providers";
import { accountRow, seenBy } from "./linked-accounts";
import { sent } from "./page-html";

// A round trip to a provider is slow on a busy machine.
test.skip(!process.env.OIDC_PROVIDERS, "the running service does not know our providers");

const idIn = (url: string) => /int_[0-9a-v]{32}/.exec(url)?.[0] ?? "";

test("links an account with partial access and later adds the missing access", { tag: "@more" }, async ({
  page,
  owner,
  app,
}) => {
  const [work, home] = [someAccount(), someAccount()];
  await identity("corp").rotateKeys();
  await setOut(page, "Corp", "Read mail", "See your calendar");
  await allowThere(page, work, { untick: ["mail:read"] });
  await expect(page).toHaveURL(/\/integrations\/int_\w+\?linked=new$/);
  await expect(page.getByText(`Linked ${work}@corp.example (Corp)`)).toBeVisible();
  await expect(page.getByText("Granted permissions: Profile, Calendar · read.")).toBeVisible();
  await expect(page.getByText("Requested but missing: Mail.")).toBeVisible();
  const id = idIn(page.url());
  expect(await seenBy(app)).toEqual([]);
  await page.getByRole("switch").click();
  await expect(page.getByRole("switch")).toBeChecked();
  expect(await seenBy(app)).toMatchObject([{ id, status: "connected", email: `${work}@corp.example` }]);

  await page.goto(`/integrations/${id}`);
  await page.getByRole("button", { name: "Request Mail again" }).click();
  await expect(page.getByLabel("Account")).toHaveValue(work);
  await allowThere(page, work);
  await expect(page).toHaveURL(`/integrations/${id}?linked=again`);
  await expect(page.getByText("Granted permissions: Profile, Mail · read, Calendar · read.")).toBeVisible();

  await identity("corp").rotateKeys();
  await setOut(page, "Corp");
  await allowThere(page, home);
  await expect(page.getByText(`Linked ${home}@corp.example (Corp)`)).toBeVisible();
  expect(idIn(page.url())).not.toBe(id);
  await setOut(page, "Uni");
  await allowThere(page, home);
  await expect(page.getByText(`Linked ${home}@uni.example (Uni)`)).toBeVisible();
  await page.goto("/integrations");
  await expect(page.locator("[data-account]")).toHaveCount(3);
  expect(await db.ownerSession.count({ where: { ownerId: owner.ownerId } })).toBe(1);

  // No page or response to an app contains anything that Corp issued.
  const issued = (await identity("corp").issued(work)).map(({ value }) => value);
  expect(issued.length).toBeGreaterThan(2);
  const pages = [
    "/integrations",
    `/integrations/${id}`,
    "/integrations/link/corp",
    `/apps/${app.clientId}`,
    "/activity",
  ];
  for (const path of pages) {
    for (const headers of [{ rsc: "0" }, { rsc: "1" }]) {
      const reply = await page.request.get(path, { headers });
      expect([path, reply.status(), leaked(await reply.text(), issued)]).toEqual([path, 200, []]);
    }
  }
  expect(leaked(JSON.stringify(await seenBy(app)), issued)).toEqual([]);
  expect(leaked(`as it was: ${issued[0]}`, issued)).toContain("secret 0 as plain");
});

test("reconnects only the original account after the provider revoked access", {
  tag: "@more",
}, async ({ page, owner: _ }) => {
  const account = someAccount();
  await setOut(page, "Corp", "See files");
  await allowThere(page, account);
  const id = idIn(page.url());
  await identity("corp").revoke(account);
  // A recently checked account is not checked again.
  await db.$executeRaw`UPDATE integration SET checked_at = checked_at - interval '1 hour' WHERE id = ${id}`;
  await page.goto(`/integrations/${id}`);
  await page.getByRole("button", { name: "Test now" }).click();
  await expect(page.getByText("Reconnect needed").first()).toBeVisible();

  // The callback is rejected in another session.
  await page
    .getByRole("button", { name: /^Reconnect/ })
    .first()
    .click();
  const other = someAccount();
  await allowThere(page, other);
  await expect(page.getByText(`You chose ${other}@corp.example, not ${account}@corp.example`)).toBeVisible();
  expect(await db.integration.count({ where: { subject: other } })).toBe(0);
  await page.getByRole("button", { name: `Try again with ${account}@corp.example` }).click();
  await allowThere(page, account);
  await expect(page).toHaveURL(`/integrations/${id}?linked=again`);
  await page.goto("/integrations");
  await expect(accountRow(page, `${account}@corp.example`)).toContainText("Working");
  await expect(page.locator("[data-account]")).toHaveCount(1);
});

test("links no account after a denial, an expired attempt or a repeated callback", {
  tag: "@more",
}, async ({ page, owner }) => {
  await setOut(page, "Corp", "Read mail");
  await allowThere(page, someAccount(), { deny: true });
  await expect(page.getByRole("alert").filter({ hasText: "You denied access to your Corp account" })).toBeVisible();
  await page.getByRole("button", { name: "Continue to Corp" }).click();
  await expect(page.getByLabel("Account")).toBeVisible();
  await db.$executeRaw`UPDATE link_attempt SET expires_at = now() - interval '1 second' WHERE owner_id = ${owner.ownerId}`;
  await allowThere(page, someAccount());
  await expect(page.getByText("This link attempt has expired")).toBeVisible();
  expect(await db.integration.count({ where: { ownerId: owner.ownerId } })).toBe(0);
  await page.getByRole("button", { name: "Continue to Corp" }).click();
  const callback = page.waitForRequest((request) => request.url().includes("/integrations/callback/corp?"));
  await allowThere(page, someAccount());
  await expect(page).toHaveURL(/linked=new$/);
  const address = (await callback).url();
  // The callback's query is dropped. The page does not contain it, and no referrer includes it.
  expect(await page.content()).not.toContain(new URL(address).searchParams.get("code"));
  expect((await sent(page, address)).html).toContain("This link attempt has expired");
  expect(await db.integration.count({ where: { ownerId: owner.ownerId } })).toBe(1);
});

test("completes a link attempt only in the session that started the attempt", {
  tag: "@more",
}, async ({ page, owner, browser }) => {
  await setOut(page, "Corp");
  await expect(page.getByLabel("Account")).toBeVisible();
  // The callback arrives without a session.
  const mine = await page.context().cookies(serviceUrl());
  await page.context().clearCookies({ name: /session/ });
  const callback = page.waitForRequest((request) => request.url().includes("/integrations/callback/corp?"));
  await allowThere(page, someAccount());
  const url = (await callback).url();
  await expect(page).toHaveURL(/\/sign-in\?next=%2Fintegrations%2Flink%2Fcorp%3Fproblem%3Dnot_yours$/);

  // A signed-out visitor signs in first and then sees the error.
  const context = await browser.newContext();
  const elsewhere = await context.newPage();
  const other = await anOwner();
  await elsewhere.goto(url);
  await expect(elsewhere).toHaveURL(/\/sign-in\?next=%2Fintegrations%2Flink%2Fcorp%3Fproblem%3Dnot_yours$/);
  await elsewhere.getByLabel("Email").fill(other.email);
  await elsewhere.getByLabel("Password", { exact: true }).fill(other.password);
  await elsewhere.getByRole("button", { name: "Sign in" }).click();
  await expect(elsewhere.getByText("This link attempt started in another browser")).toBeVisible();
  // Tests another owner, and another session of the same owner.
  await elsewhere.goto(url);
  await expect(elsewhere.getByText("This link attempt started in another browser")).toBeVisible();
  await context.clearCookies();
  await signIn(elsewhere, owner);
  await elsewhere.goto(url);
  await expect(elsewhere.getByText("This link attempt started in another browser")).toBeVisible();
  await context.close();
  for (const { ownerId } of [owner, other]) expect(await db.integration.count({ where: { ownerId } })).toBe(0);

  await page.context().addCookies(mine);
  await page.goto(url);
  await expect(page).toHaveURL(/linked=new$/);
});

test.describe("failures", { tag: "@more" }, () => {
  // Serial, because this provider's failures affect every test.
  test.describe.configure({ mode: "serial" });
  const moody = () => identity("moody");
  /** The error page also offers a retry. */
  const setOutAgain = async (page: Page) => {
    const here = page.waitForEvent("framenavigated");
    await page.getByRole("button", { name: "Continue to Moody" }).click();
    await here;
  };
  test.afterEach(() => moody().heal());

  test("shows an error instead of redirecting if the provider's discovery fails", async ({ page, owner: _ }) => {
    await page.goto("/integrations/link/moody");
    for (const how of ["down", "broken", "garbage", "slow"] as const) {
      await moody().fault("discovery", how);
      await setOutAgain(page);
      await expect(page.getByRole("alert").filter({ hasText: "Couldn’t connect to Moody" })).toBeVisible();
      await moody().heal();
    }
    await setOutAgain(page);
    await allowThere(page, someAccount());
    await expect(page).toHaveURL(/linked=new$/);
  });

  test("shows an error if the provider fails after the owner allowed access", async ({ page, owner }) => {
    await page.goto("/integrations/link/moody");
    for (const [where, how] of [
      ["token", "down"],
      ["token", "garbage"],
      ["token", "unknown-client"],
      ["jwks", "garbage"],
      ["userinfo", "slow"],
    ] as const) {
      await setOutAgain(page);
      await expect(page.getByLabel("Account")).toBeVisible();
      await moody().fault(where, how);
      await allowThere(page, someAccount());
      await expect(page.getByRole("alert").filter({ hasText: "Couldn’t connect to Moody" })).toBeVisible();
      await moody().heal();
    }
    expect(await db.integration.count({ where: { ownerId: owner.ownerId } })).toBe(0);
  });
});
