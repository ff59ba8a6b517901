import { db } from "@/lib/database/db";
import { shareWith } from "@/lib/grants/linked-account-sharing";
import { sealMismatch } from "@/lib/integrations/encrypt-wrong-account-email";
import { anOwner } from "@/lib/testing/factories";
import { aLinkedAccount, removed } from "@/lib/testing/linked-account-rows";
import { go } from "./client-navigation";
import { anApp, expect, serviceUrl, test } from "./fixtures";
import { allowThere, identity, setOut, someAccount } from "./identity-providers";
import { settle } from "./inbox-locators";
import { accountRow, anAccountAtCorp, becomes, seenBy } from "./linked-accounts";
import { sent } from "./page-html";
import { signedInBefore } from "./stale-sign-in";

test("shows an account's permissions and changes its name and visibility to apps", async ({ page, owner, app }) => {
  const other = await anApp(owner);
  const id = await anAccountAtCorp(owner, {
    email: "robin@work.example",
    accountName: "Robin Marten",
    buckets: ["identity", "mail"],
    scopes: ["mail:read", "odd:thing", "offline_access"],
    asked: ["mail.read", "mail.write", "files.read"],
  });
  await page.goto(`/integrations/${id}`);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("robin@work.example");
  await expect(page.getByText("Robin Marten")).toBeVisible();
  const gives = page.locator("section", { has: page.getByRole("heading", { name: "Permissions" }) });
  await expect(gives.getByRole("listitem").filter({ hasNotText: "missing" })).toContainText(["Profile", "Read mail"]);
  await expect(gives.getByRole("listitem").filter({ hasText: "missing" })).toContainText([
    "Send or change mail: Corp didn’t allow this access.",
    "See files: Corp didn’t allow this access.",
  ]);
  // Requests exactly the granted data types and the missing one.
  const grant = gives.locator("form", { has: page.getByRole("button", { name: "Request Files again" }) });
  expect(await grant.locator("[name=access]").evaluateAll((all) => all.map((it) => it.getAttribute("value")))).toEqual([
    ...["mail.read", "files.read"],
  ]);
  await gives.getByText("Corp lists 5 permissions").click();
  await expect(gives.getByRole("listitem").filter({ hasText: "odd:thing" })).toContainText("Unrecognized permission");
  await expect(gives.getByRole("listitem").filter({ hasText: "offline_access" })).toContainText("while you’re away");
  await expect(gives.getByRole("listitem").filter({ hasText: "mail:read" })).toContainText("Read mail");

  await test.step("applies an access change to the app's next request", async () => {
    expect(await seenBy(app)).toEqual([]);
    const sees = page.getByRole("switch", { name: `${app.name} can see this account` });
    await sees.click();
    await expect(sees).toBeChecked();
    expect(await seenBy(app)).toMatchObject([{ id, status: "connected", email: "robin@work.example" }]);
    expect(await seenBy(other)).toEqual([]);
    await sees.click();
    await expect(sees).not.toBeChecked();
    expect(await seenBy(app)).toEqual([]);
  });

  await test.step("shows the name that the owner gave the account", async () => {
    await page.getByLabel("Your name for this account").fill("x".repeat(41));
    await page.getByRole("button", { name: "Save name" }).click();
    await expect(page.getByText("Must be at most 40 characters").first()).toBeVisible();
    await expect(page.getByLabel("Your name for this account")).toHaveValue("x".repeat(41));
    await page.getByLabel("Your name for this account").fill("Work");
    await page.getByRole("button", { name: "Save name" }).click();
    await expect(page.getByText("Name saved")).toBeVisible();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Work");
    await expect(page.getByText("You renamed your Corp account to Work")).toBeVisible();
    await page.getByLabel("Your name for this account").fill("");
    await page.getByRole("button", { name: "Save name" }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("robin@work.example");
    await page.getByRole("link", { name: "See this account’s activity" }).click();
    await expect(page).toHaveURL(`/activity?subject=${id}`);
    await page.getByRole("link", { name: "You renamed your Corp account to Work" }).click();
    await expect(page).toHaveURL(`/integrations/${id}`);
  });
});

test("restores a removed account with Undo or, after the undo period, by reconnecting", { tag: "@more" }, async ({
  page,
  owner,
  app,
}) => {
  test.slow();
  const name = someAccount();
  const email = `${name}@corp.example`;
  await setOut(page, "Corp", "Read mail");
  await allowThere(page, name);
  await expect(page).toHaveURL(/linked=new$/);
  const id = /int_\w+/.exec(page.url())?.[0] ?? "";
  await shareWith(owner, app.clientId, id, true);
  await page.goto(`/integrations/${id}`);
  await page.getByRole("button", { name: "Remove account" }).click();
  const dialog = page.getByRole("dialog", { name: `Remove ${email}?` });
  await expect(dialog).toContainText(`1 app will no longer see this account: ${app.name}`);
  await expect(dialog).toContainText("Data that apps already copied isn’t deleted.");
  await expect(dialog).toContainText("we ask Corp to revoke our access");
  await dialog.getByRole("button", { name: "Cancel" }).click();
  expect(await seenBy(app)).toMatchObject([{ status: "connected" }]);
  await page.getByRole("button", { name: "Remove account" }).click();
  await dialog.getByRole("button", { name: "Remove account" }).click();
  await expect(page.getByRole("status").filter({ hasText: `Removed ${email}.` })).toBeVisible();
  await expect(page.getByRole("switch")).toHaveCount(0);
  expect(await seenBy(app)).toMatchObject([{ id, status: "disconnected" }]);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByRole("button", { name: "Remove account" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Undo" })).toHaveCount(0);
  expect(await page.evaluate(() => document.activeElement?.tagName)).not.toBe("BODY");
  expect(await seenBy(app)).toMatchObject([{ id, status: "connected" }]);

  // The list has the same button and shortcut.
  const removedFor = (seconds: number) =>
    db.integration.update({
      where: { id },
      data: { ...removed(), statusBefore: "connected", eraseAt: new Date(Date.now() + seconds * 1000) },
    });
  await removedFor(60);
  await page.goto("/integrations");
  await expect(page.getByText(`Removed ${email}.`)).toBeVisible();
  await settle(page);
  await page.keyboard.press("u");
  await expect(accountRow(page, email)).toContainText("Working");

  // The undo period ends, and the credentials are deleted. A reconnected account keeps its ID and
  // visibility.
  await removedFor(6);
  await page.goto(`/integrations/${id}`);
  await expect(page.getByRole("button", { name: "Undo" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Undo" })).toHaveCount(0);
  await expect.poll(() => db.integrationSecret.count({ where: { integrationId: id } })).toBe(0);
  await page.getByRole("button", { name: "Reconnect" }).click();
  await allowThere(page, name);
  await expect(page).toHaveURL(`/integrations/${id}?linked=again`);
  await expect(page.getByText(`Connected ${email} (Corp) again`)).toBeVisible();
  expect(await seenBy(app)).toMatchObject([{ id, status: "connected" }]);
});

test("confirms a linked account after the owner returns from the provider", async ({ page, owner, app }) => {
  const id = await anAccountAtCorp(owner, {
    email: "robin@work.example",
    label: "Work",
    buckets: ["identity", "calendar"],
    scopes: ["cal:r"],
    asked: ["calendar.read", "mail.read"],
  });
  await page.goto(`/integrations/${id}?linked=new`);
  await expect(page.getByText("Linked robin@work.example (Corp)")).toBeVisible();
  await expect(page.getByText("Granted permissions: Profile, Calendar · read.")).toBeVisible();
  await expect(page.getByText("Requested but missing: Mail.")).toBeVisible();
  const apps = page.locator("section", {
    has: page.getByRole("heading", { name: "Which apps can see this account?" }),
  });
  await expect(apps.getByRole("switch")).not.toBeChecked();
  await apps.getByRole("switch").click();
  await expect(apps.getByRole("switch")).toBeChecked();
  expect(await seenBy(app)).toMatchObject([{ id }]);
  await apps.getByRole("link", { name: "Done" }).click();
  await expect(page).toHaveURL(`/integrations/${id}`);
  await expect(page.getByText("Linked robin@work.example (Corp)")).toHaveCount(0);
  const { html } = await sent(page, `/integrations/${id}?linked=again`);
  expect(html).toContain("Connected robin@work.example (Corp) again");

  await becomes(owner, id, { status: "error", statusReason: "provider_down" });
  await expect(page.getByText("Temporarily unavailable", { exact: true })).toBeVisible();
  await becomes(owner, id, {
    ...{ status: "connected", statusReason: null, checkedAt: new Date() },
    asked: ["calendar.read"],
  });
  await expect(page.getByText(/^Working/)).toBeVisible();
  await expect(page.getByText("Your Corp account works again")).toBeVisible();
});

test("shows setup instructions for a provider that is not set up", async ({ page, owner: _ }) => {
  await page.goto("/integrations/link");
  await expect(page.getByText("Google · Not set up")).toBeVisible();
  await page.getByText("Setup instructions: Google").click();
  await expect(page.getByText("GOOGLE_CLIENT_SECRET")).toBeVisible();
  await expect(page.getByText(/\/integrations\/callback\/google$/)).toBeVisible();
  const google = await sent(page, "/integrations/link/google");
  expect(google.html).toContain("Setup instructions");
  expect(google.html).not.toContain("Continue to");
  expect((await sent(page, "/integrations/link/nowhere")).status).toBe(404);
});

test("keeps the Continue button in view on a phone", { tag: "@touch" }, async ({ page, owner: _ }) => {
  await page.goto("/integrations/link/corp");
  await expect(page.getByRole("button", { name: "Continue to Corp" })).toBeInViewport({ ratio: 1 });
});

test("preserves the selected access across a fresh sign-in", async ({ page, owner }) => {
  await page.goto("/integrations/link");
  await page.getByRole("link", { name: /^Corp/ }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Link your Corp account");
  await expect(page.getByRole("checkbox")).toHaveCount(5);
  await expect(page.getByRole("checkbox", { checked: true })).toHaveCount(0);
  await expect(page.getByText("We’ll ask you to sign in again.")).toHaveCount(0);
  await signedInBefore(owner, 11);
  await page.reload();
  await expect(page.getByText("We’ll ask you to sign in again.")).toBeVisible();
  await page.getByRole("checkbox", { name: "Read mail" }).check();
  await page.getByRole("checkbox", { name: "See your calendar" }).check();
  await page.getByRole("button", { name: "Continue to Corp" }).click();
  await expect(page).toHaveURL(/\/sign-in\/again\?next=/);
  await page.getByLabel("Password").fill(owner.password);
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Link your Corp account");
  await expect(page.getByRole("checkbox", { checked: true })).toHaveCount(2);
  await expect(page.getByRole("checkbox", { name: "See your calendar" })).toBeChecked();
});

test("explains why each link attempt failed", async ({ page, owner }) => {
  const id = await anAccountAtCorp(owner, {
    email: "robin@work.example",
    status: "needs_reauth",
    statusReason: "invalid_grant",
    scopes: ["cal:r"],
    asked: ["calendar.read", "files.read"],
  });
  for (const [problem, words] of [
    ["denied", "You denied access to your Corp account"],
    ["expired", "This link attempt has expired"],
    ["not_yours", "This link attempt started in another browser"],
    ["provider", "Couldn’t connect to Corp"],
    ["busy", "Too many attempts"],
  ]) {
    const { html } = await sent(page, `/integrations/link/corp?problem=${problem}`);
    expect(html).toMatch(new RegExp(`role="alert".*${words}.*Nothing was linked`));
    expect(html).toMatch(/<button[^>]*>[^/]*Continue to Corp/);
  }
  const { html: madeUp } = await sent(page, "/integrations/link/corp?problem=%3Cb%3E");
  expect(madeUp).toMatch(/<button[^>]*>[^/]*Continue to Corp/);
  expect(madeUp).not.toMatch(/<main.*role="alert"/s);

  const other = sealMismatch({ integrationId: id, email: "robin@home.example" });
  const at = `/integrations/link/corp?problem=other_account&account=${id}`;
  await page.goto(`${at}&other=${other}`);
  await expect(page.getByText("You chose robin@home.example, not robin@work.example")).toBeVisible();
  const again = page.locator("form", { has: page.getByRole("button", { name: "Try again with robin@work.example" }) });
  const second = page.locator("form", {
    has: page.getByRole("button", { name: /^Link robin@home.example as a second/ }),
  });
  const sends = (form: typeof again) =>
    form.evaluate((it) => [...new FormData(it as HTMLFormElement)].flat().join(" "));
  const asked = "access calendar.read access files.read";
  expect(await sends(again)).toBe(`provider corp account ${id} ${asked}`);
  expect(await sends(second)).toBe(`provider corp ${asked}`);
  // The page does not show a forged message.
  const invented = await sent(page, `${at}&other=${Buffer.from("robin@evil.example").toString("base64url")}`);
  expect(invented.html).toContain("You didn’t choose robin@work.example");
});

test("shows the progress and result of a slow account check", { tag: "@more" }, async ({ page, owner: _ }) => {
  const corp = identity("corp");
  const name = someAccount();
  await page.goto("/integrations/link/corp");
  await page.getByRole("button", { name: "Continue to Corp" }).click();
  await allowThere(page, name);
  await expect(page.getByText(`Linked ${name}@corp.example (Corp)`)).toBeVisible();
  const id = /int_\w+/.exec(page.url())?.[0] ?? "";
  const said = page.locator("main [aria-live]").first();
  const longAgo = () => db.integration.update({ where: { id }, data: { checkedAt: new Date(Date.now() - 3_600_000) } });
  await longAgo();
  await page.getByRole("button", { name: "Test now" }).click();
  await expect(said).toHaveText("Working. The provider accepted our credentials.");
  await corp.fault("userinfo", "slow", name);
  await longAgo();
  await page.getByRole("button", { name: "Test now" }).click();
  await expect(said).toHaveText("Still checking. The result will appear here.");
  await expect(said).toHaveText("We couldn’t check this account just now. We’ll keep trying.");
  await expect(page.getByText("The last check failed.")).toBeVisible();
  await corp.heal(name);
  await longAgo();
  await page.getByRole("button", { name: "Test now" }).click();
  await expect(said).toHaveText("Working. The provider accepted our credentials.");

  // The page reports an owner who has not returned, or who returned with another account.
  await page.getByRole("button", { name: "Reconnect" }).click();
  await expect(page.getByLabel("Account")).toBeVisible();
  const there = page.url();
  await page.goto("/integrations");
  await expect(page.getByText("You started linking your Corp account just now.")).toBeVisible();
  await page.goto(there);
  await allowThere(page, `other-${name}`);
  await expect(page.getByText(`You chose other-${name}@corp.example, not ${name}@corp.example`)).toBeVisible();
});

test("manages linked accounts with the palette and the keyboard", { tag: "@more" }, async ({ page, owner }) => {
  const broken = await anAccountAtCorp(owner, {
    email: "robin@home.example",
    status: "needs_reauth",
    statusReason: "invalid_grant",
  });
  const work = await anAccountAtCorp(owner, { label: "Work", email: "robin@acme.example" });
  await page.goto("/integrations");
  await settle(page);
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox").fill("acme");
  await expect(page.getByRole("option", { name: /Work/ })).toBeVisible();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(`/integrations/${work}`);
  await settle(page);
  await page.keyboard.press("t");
  await expect(page.locator("main [aria-live]").first()).toHaveText(/\.$/);
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox").fill("link an acc");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL("/integrations/link");

  await go(page, "/integrations");
  await settle(page);
  await page.keyboard.press("j");
  await page.keyboard.press("j");
  await expect(page.getByRole("link", { name: "Work" })).toBeFocused();
  await page.keyboard.press("r");
  await page.keyboard.press("k");
  await page.keyboard.press("t");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(`/integrations/${broken}`);
  await page.keyboard.press("?");
  const help = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  await expect(help.getByRole("heading", { name: "Linked account" })).toBeVisible();
  for (const does of ["Reconnect", "Test the account", "Back to the list"])
    await expect(help.getByText(does)).toBeVisible();
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Integrations");
  await page.keyboard.press("j");
  await page.keyboard.press("r");
  await expect(page.getByRole("heading", { name: "Who are you?" })).toBeVisible();
});

test("responds with 404 for another owner's account or a long-removed account", async ({ page, owner }) => {
  const theirs = await aLinkedAccount(await anOwner());
  const gone = await anAccountAtCorp(owner, removed(31));
  for (const id of [theirs, gone, "int_none"]) {
    expect([id, (await sent(page, `/integrations/${id}`)).status]).toEqual([id, 404]);
  }
  const { html } = await sent(page, `/integrations/link/corp?account=${theirs}`);
  expect(html).toMatch(/<h1[^>]*>Link your Corp account</);
});

test("rejects forged and invalid link attempts", async ({ page, owner }) => {
  const theirs = await aLinkedAccount(await anOwner(), { provider: "corp" });
  const begin = (form: Record<string, string>, origin = serviceUrl()) =>
    page.request.post("/integrations/begin", { form, headers: { origin }, maxRedirects: 0 });
  expect((await begin({ provider: "corp" }, "https://evil.example")).status()).toBe(403);
  expect((await begin({ provider: "corp", access: "mail.delete" })).status()).toBe(400);
  expect((await begin({ provider: "corp", access: "tasks.read" })).status()).toBe(400);
  expect((await begin({ provider: "corp", account: theirs })).status()).toBe(404);
  expect((await begin({ provider: "nowhere" })).status()).toBe(404);
  const unset = await begin({ provider: "google", access: "mail.read" });
  expect(unset.headers().location).toBe("/integrations/link/google?access=mail.read&chosen=yes&problem=not_set_up");
  expect(await db.linkAttempt.count({ where: { ownerId: owner.ownerId } })).toBe(0);
  const sent = await begin({ provider: "corp" });
  expect([sent.status(), sent.headers()["cache-control"]]).toEqual([200, "no-store"]);
  expect(sent.headers().refresh).toMatch(/^0; url=http:\/\/127\.0\.0\.1:\d+\/auth\?/);
});

test.describe(() => {
  test.use({ javaScriptEnabled: false });

  test("links, renames, tests, removes and restores an account when scripts are off", { tag: "@more" }, async ({
    page,
    owner,
    app,
  }) => {
    test.slow();
    await signedInBefore(owner, 11);
    await page.goto("/integrations/link/corp");
    await page.getByRole("checkbox", { name: "Read mail" }).check();
    await page.getByRole("button", { name: "Continue to Corp" }).click();
    await page.getByLabel("Password").fill(owner.password);
    await page.getByRole("button", { name: "Continue" }).click();
    await expect(page.getByRole("checkbox", { name: "Read mail" })).toBeChecked();
    const name = someAccount();
    await page.getByRole("button", { name: "Continue to Corp" }).click();
    await allowThere(page, name);
    await expect(page.getByText(`Linked ${name}@corp.example (Corp)`)).toBeVisible();
    await expect(page.getByText("Granted permissions: Profile, Mail · read.")).toBeVisible();
    await page.getByRole("switch", { name: `${app.name} can see this account` }).click();
    await expect(page.getByRole("switch", { name: `${app.name} can see this account` })).toBeChecked();
    await page.getByRole("link", { name: "Done" }).click();
    await page.getByLabel("Your name for this account").fill("Work");
    await page.getByRole("button", { name: "Save name" }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Work");
    await page.getByRole("button", { name: "Test now" }).click();
    await expect(page.locator("main [aria-live]").first()).toHaveText(
      "Working. The provider accepted our credentials.",
    );
    await page.locator("summary", { hasText: "Remove account" }).click();
    await expect(page.getByText("Data that apps already copied isn’t deleted.")).toBeVisible();
    await page.getByRole("button", { name: "Remove account" }).click();
    await expect(page.getByText("Removed Work.")).toBeVisible();
    expect(await seenBy(app)).toMatchObject([{ status: "disconnected" }]);
    await page.getByRole("button", { name: "Undo" }).click();
    await expect(page.locator("summary", { hasText: "Remove account" })).toBeVisible();
    expect(await seenBy(app)).toMatchObject([{ status: "connected" }]);
  });
});
