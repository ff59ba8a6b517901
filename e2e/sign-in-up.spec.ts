import { randomBytes } from "node:crypto";
import { anOwner } from "@/lib/testing/factories";
import { startService } from "@/lib/testing/service";
import { expect, test } from "./fixtures";

test("where sign-ups are open, anybody makes an account, once for an e-mail", async ({ page }) => {
  test.slow();
  const { DATABASE_URL = "", DATA_DIR = "", SECRET = "" } = process.env;
  const service = await startService({ DATABASE_URL, DATA_DIR, SECRET, SIGNUPS: "open" });
  try {
    const taken = (await anOwner()).email;
    await page.goto(`${service.url}/sign-in`);
    await page.getByRole("link", { name: "Create an account" }).click();
    await page.getByLabel("Your name").fill("Bea Kamau");
    await page.getByLabel("E-mail").fill(taken);
    await page.getByLabel("Password").fill("four words in a row");
    await page.getByRole("button", { name: "Create your account" }).click();
    await expect(page.locator("[id$=-error]")).toHaveText("That e-mail already has an account");
    await expect(page.getByLabel("Your name")).toHaveValue("Bea Kamau");
    await page.getByLabel("E-mail").fill(`bea-${randomBytes(5).toString("hex")}@example.com`);
    await page.getByLabel("Password").fill("four words in a row");
    await page.getByRole("button", { name: "Create your account" }).click();
    await expect(page).toHaveURL(`${service.url}/developer`);
    await expect(page.getByRole("list", { name: "First steps" })).toBeVisible();
  } finally {
    await service.stop();
  }
});
