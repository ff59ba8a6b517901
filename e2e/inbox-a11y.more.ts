import { db } from "@/lib/database/db";
import { newId } from "@/lib/ids";
import { expectAccessible } from "./axe-checks";
import { go } from "./client-navigation";
import { expect, test } from "./fixtures";
import { rowOf, theQuestion } from "./inbox-locators";

test("passes axe on pages with many items in wide and narrow windows", async ({ page, owner, app }) => {
  test.setTimeout(120_000);
  const table =
    "## Checks\n\n| check | state |\n|---|---|\n| unit | pass |\n\n```sh\ndeploy --all\n```\n\n[diff](https://git.example.com/d)\n";
  await app.ask({
    question: "Ship build 418?",
    recommendation: "Wait for the soak test.",
    backgroundContext: table.repeat(9),
  });
  await app.ask({ question: "Send the reply?", recommendation: "yes" });
  const id = await app.ask({ question: "Pay invoice 88?" });
  await app.call(`/api/approvals/${id}/resolve`, { kind: "other", otherText: "Next week", note: "After the holidays" });
  await app.push({ title: "Backup finished", body: "All volumes.\n".repeat(60) });
  await app.push({ title: "Disk almost full", type: "ops.disk" });
  await db.integration.create({
    data: {
      id: newId("int"),
      ownerId: owner.ownerId,
      provider: "google",
      issuer: "i",
      subject: "s",
      email: "robin@work.example",
      buckets: ["identity", "mail"],
      scopes: [],
      status: "needs_reauth",
    },
  });
  await page.goto("/approvals");
  await expectAccessible(page, "inbox");
  await rowOf(page, "Ship build 418?").click();
  await expect(theQuestion(page)).toBeVisible();
  await page.getByText("Write an answer").click();
  await page.getByText("Add a note").click();
  await expectAccessible(page, "decision");
  await go(page, `/approvals/${id}`);
  await expectAccessible(page, "answered");
  await go(page, "/approvals?status=resolved");
  await expectAccessible(page, "history");
  await go(page, "/notifications");
  await page.locator("summary").filter({ hasText: "Backup finished" }).click();
  await expectAccessible(page, "notifications");
  await go(page, "/integrations");
  await expectAccessible(page, "integrations");
});
