import { db } from "@/lib/database/db";
import { expect, test } from "./fixtures";
import { live } from "./live-gaps";

test("returns to the previous view after a new sign-in", async ({ page, owner, app }) => {
  const id = await app.ask({});
  const view = `/approvals?status=resolved&q=ship&by=owner`;
  await page.goto(view);
  await live(page);
  await db.ownerSession.updateMany({ where: { ownerId: owner.ownerId }, data: { endedAt: new Date() } });
  // The next change detects the ended session.
  await app.call(`/api/approvals/${id}/resolve`, { kind: "option", optionId: "yes" });
  await expect(page).toHaveURL(/\/sign-in\?next=/);
  await page.getByLabel("Email").fill(owner.email);
  await page.getByLabel("Password", { exact: true }).fill(owner.password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page).toHaveURL(view);
  await expect(page.getByRole("searchbox")).toHaveValue("ship");
});
