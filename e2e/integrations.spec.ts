import { db } from "@/lib/db";
import { newId } from "@/lib/ids";
import { expect, test } from "./fixtures";

test("linked accounts tell whether they work, who acts next, what they give and who sees them", async ({
  page,
  owner,
  app,
}) => {
  await page.goto("/integrations");
  await expect(page.getByRole("heading", { name: "No accounts linked yet." })).toBeVisible();

  const account = (email: string, more: object) => {
    const id = newId("int");
    const one = { id, ownerId: owner.ownerId, provider: "google", issuer: "https://accounts.google.com", subject: id };
    return db.integration.create({ data: { ...one, email, buckets: ["identity"], scopes: [], ...more } });
  };
  const work = await account("robin@work.example", { label: "Work", buckets: ["identity", "mail", "calendar"] });
  await account("robin@home.example", { status: "needs_reauth", statusReason: "invalid_grant" });
  await account("old@home.example", { status: "disconnected", disconnectedAt: new Date() });
  const grant = await db.grant.findFirstOrThrow({ where: { ownerId: owner.ownerId, appId: app.clientId } });
  await db.grantIntegration.create({ data: { grantId: grant.id, integrationId: work.id } });

  await page.goto("/integrations");
  const rows = page.locator("main li").filter({ has: page.getByRole("heading") });
  await expect(rows.first()).toContainText("Reconnect needed");
  await expect(rows.first()).toContainText("Only you can fix this");
  await expect(rows.first()).toContainText("No app can see it.");
  await expect(rows.nth(1)).toContainText("Work");
  await expect(rows.nth(1)).toContainText("robin@work.example");
  await expect(rows.nth(1)).toContainText("Connected");
  await expect(rows.nth(1).getByRole("list", { name: "Kinds of data" }).getByRole("listitem")).toHaveText([
    "Who you are",
    "Mail",
    "Calendar",
  ]);
  await expect(rows.nth(1).getByRole("link", { name: app.name })).toHaveAttribute("href", `/apps/${app.clientId}`);
  await expect(page.getByText("old@home.example")).toBeHidden();
  await page.getByText("Removed in the last 30 days (1)").click();
  await expect(page.getByText("old@home.example")).toBeVisible();
});
