import { shareWith } from "@/lib/grants/linked-account-sharing";
import { sealMismatch } from "@/lib/integrations/encrypt-wrong-account-email";
import { aLinkedAccount, removed } from "@/lib/testing/linked-account-rows";
import { expectAccessible } from "./axe-checks";
import { go } from "./client-navigation";
import { expect, test } from "./fixtures";
import { anAccountAtCorp } from "./linked-accounts";

// Each test checks every size and theme.
test.beforeEach(() => test.setTimeout(120_000));

const partial = {
  label: "Work",
  email: "robin@work.example",
  accountName: "Robin Marten",
  buckets: ["identity", "mail"],
  scopes: ["mail:read", "odd:thing"],
  asked: ["mail.read", "mail.write", "files.read"],
};

test("passes axe on linked accounts in every state", async ({ page, owner, app }) => {
  await page.goto("/integrations");
  await expectAccessible(page, "no linked accounts");
  const id = await anAccountAtCorp(owner, { ...partial, checkedAt: new Date() });
  await shareWith(owner, app.clientId, id, true);
  await anAccountAtCorp(owner, { status: "needs_reauth", statusReason: "revoked_at_provider" });
  await anAccountAtCorp(owner, { status: "error", statusReason: "provider_down", checkAt: new Date() });
  await aLinkedAccount(owner, { provider: "mail", scopes: ["imap"], asked: ["mail.read", "mail.write"] });
  await anAccountAtCorp(owner, removed(3));
  const gone = await anAccountAtCorp(owner, { ...removed(), eraseAt: new Date(Date.now() + 3_600_000) });
  await page.reload();
  await page.getByText("Removed in the last 30 days (2)").click();
  await expectAccessible(page, "linked accounts");
  await go(page, `/integrations/${id}`);
  await page.getByText("Corp lists").click();
  await page.getByRole("button", { name: "Test now" }).click();
  await expect(page.locator("main [aria-live]").first()).not.toBeEmpty();
  await expectAccessible(page, "a linked account");
  await page.getByRole("button", { name: "Remove account" }).click();
  await expect(page.getByRole("dialog")).toBeVisible();
  await expectAccessible(page, "whether to remove it");
  await page.keyboard.press("Escape");
  await go(page, `/integrations/${gone}`);
  await expectAccessible(page, "one just removed");
  await go(page, `/integrations/${id}?linked=new`);
  await expectAccessible(page, "one just linked");
});

test("passes axe on the linking pages and their errors", async ({ page, owner }) => {
  const id = await anAccountAtCorp(owner, partial);
  await page.goto("/integrations/link");
  await page.getByText("Setup instructions: Google").click();
  await expectAccessible(page, "where to link an account");
  await go(page, "/integrations/link/corp");
  await expectAccessible(page, "the data to share");
  for (const path of [
    `/integrations/link/corp?account=${id}&problem=denied`,
    `/integrations/link/corp?problem=other_account&account=${id}&other=${sealMismatch({ integrationId: id, email: "robin@home.example" })}`,
    "/integrations/link/google",
  ]) {
    await go(page, path);
    await expectAccessible(page, path.replace(/other=.*/, "other"));
  }
});
