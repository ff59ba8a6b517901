import { shareWith } from "@/lib/grants/linked-account-sharing";
import { aLinkedAccount, removed } from "@/lib/testing/linked-account-rows";
import { go } from "./client-navigation";
import { expect, test } from "./fixtures";
import { accountRow, anAccountAtCorp, becomes } from "./linked-accounts";

test("updates an account's status on a page that is already open", async ({ page, owner }) => {
  await page.goto("/integrations");
  await expect(page.getByRole("heading", { name: "No accounts linked yet" })).toBeVisible();
  await page.getByRole("link", { name: "Link an account" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Link an account");
  await expect(page.getByRole("link", { name: /^Corp/ })).toBeVisible();

  const id = await anAccountAtCorp(owner, { email: "robin@work.example", buckets: ["identity"] });
  await go(page, "/integrations");
  const row = accountRow(page, "robin@work.example");
  await expect(row).toContainText("Working");
  await becomes(owner, id, { status: "needs_reauth", statusReason: "refresh_exhausted" });
  await expect(row).toContainText("Reconnect needed");
  await expect(page.getByRole("navigation").getByRole("link", { name: "Integrations 1 to reconnect" })).toBeVisible();
  await becomes(owner, id, { status: "connected", statusReason: null });
  await expect(row).toContainText("Working");
  await expect(row).not.toContainText("Reconnect needed");
});

test("shows each account's status, data and apps", async ({ page, owner, app }) => {
  const work = await anAccountAtCorp(owner, {
    label: "Work",
    email: "robin@work.example",
    checkedAt: new Date(Date.now() - 3 * 3_600_000),
    buckets: ["identity", "mail"],
    scopes: ["mail:read", "mail:send"],
    asked: ["mail.read", "calendar.read"],
  });
  await shareWith(owner, app.clientId, work, true);
  const broken = { status: "needs_reauth", statusReason: "revoked_at_provider" };
  await anAccountAtCorp(owner, { email: "robin@home.example", ...broken });
  const nextTry = new Date(Date.now() + 4.5 * 60_000);
  await anAccountAtCorp(owner, {
    email: "robin@far.example",
    status: "error",
    statusReason: "provider_down",
    checkAt: nextTry,
  });
  // These tests do not configure Google.
  await aLinkedAccount(owner, { email: "robin@gone.example", ...broken, statusReason: "not_configured" });
  await anAccountAtCorp(owner, { email: "old@home.example", ...removed(3) });
  await anAccountAtCorp(owner, { email: "older@home.example", ...removed(31) });

  await page.goto("/integrations");
  await expect(page.locator("main h2:visible")).toHaveText([
    ...["robin@home.example", "robin@gone.example", "robin@far.example", "Work"],
  ]);
  await expect(page.getByRole("navigation").getByRole("link", { name: "Integrations 2 to reconnect" })).toBeVisible();

  const home = accountRow(page, "robin@home.example");
  await expect(home).toContainText("Reconnect needed");
  await expect(home).toContainText("Our access to this account was revoked. Reconnect the account.");
  await expect(home).toContainText("Not visible to any app");
  await expect(home.getByRole("button", { name: "Reconnect" })).toBeVisible();

  const unready = accountRow(page, "robin@gone.example");
  await expect(unready).toContainText("To reconnect the account, ask your operator to set up Google again.");
  await expect(unready.getByRole("button")).toHaveCount(0);

  const far = accountRow(page, "robin@far.example");
  await expect(far).toContainText("Temporarily unavailable");
  await expect(far).toContainText("We can’t get a response from Corp.");
  await expect(far).toContainText("Next attempt in 4 min.");
  await expect(far.getByRole("button")).toHaveText(["Try now"]);

  const row = accountRow(page, "Work");
  await expect(row).toContainText("robin@work.example · Corp");
  await expect(row).toContainText("Working, but 1 permission is missing · checked 3 h ago");
  await expect(row.getByRole("list", { name: "Types of data" }).getByRole("listitem")).toHaveText([
    ...["Profile", "Mail · read and send", "Calendar · missing: read"],
  ]);
  await expect(row).toContainText("Visible to 1 app");
  await expect(row.getByRole("link", { name: app.name })).toHaveAttribute("href", `/apps/${app.clientId}`);

  await expect(page.getByText("old@home.example")).toBeHidden();
  await page.getByText("Removed in the last 30 days (1)").click();
  const old = accountRow(page, "old@home.example");
  await expect(old).toContainText("You removed this account 3 d ago.");
  await expect(old.getByRole("button")).toHaveText(["Reconnect"]);
  await expect(page.getByText("older@home.example")).toHaveCount(0);

  // On a phone, each button spans the row and has a touch-sized height.
  await page.setViewportSize({ width: 390, height: 844 });
  for (const button of await page.locator("main [data-account] button:visible").all()) {
    expect((await button.boundingBox())?.height).toBeGreaterThanOrEqual(48);
    expect((await button.boundingBox())?.width).toBeGreaterThan(250);
  }
});
