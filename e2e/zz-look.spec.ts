import { db } from "@/lib/db";
import { anApp, test } from "./fixtures";

test.describe.configure({ mode: "parallel" });
for (const [w, h] of [
  [1280, 800],
  [390, 844],
] as const)
  for (const colorScheme of ["light", "dark"] as const)
    test(`look ${w} ${colorScheme}`, async ({ page, owner, app }, { project }) => {
      test.skip(project.name !== "desktop");
      test.setTimeout(120_000);
      await page.setViewportSize({ width: w, height: h });
      await page.emulateMedia({ colorScheme });
      const shot = async (path: string, name: string, act?: () => Promise<void>) => {
        await page.goto(path);
        await page.waitForTimeout(900);
        await act?.();
        await page.screenshot({ path: `/tmp/look/${name}-${w}-${colorScheme}.png` });
      };
      await shot("/approvals", "empty-never");
      await shot("/approvals/practice", "practice");
      await page.getByRole("button", { name: "Order it" }).click();
      await page.screenshot({ path: `/tmp/look/practice2-${w}-${colorScheme}.png` });
      await db.$executeRaw`UPDATE app SET name = 'Release desk' WHERE id = ${app.clientId}`;
      const other = await anApp(owner, `Mail helper ${w}${colorScheme}`);
      const qs = [
        "Ship build 417 to production?",
        "Roll back the payment service?",
        "Reply to Ana with the Thursday slot?",
        "Pay invoice 88 of 240.00 to the baker, who has sent it three times by now and asks whether anything is wrong with it?",
      ];
      for (const [i, question] of [...qs, ...qs].entries()) {
        const a = i % 2 ? other : app;
        const id = await a.ask({ question, backgroundContext: "All checks are **green**." });
        await a.call(
          `/api/approvals/${id}/resolve`,
          i % 3
            ? { kind: "option", optionId: "yes" }
            : { kind: "other", otherText: "Only on Thursday, and not before ten" },
        );
      }
      await db.$executeRaw`ALTER TABLE approval DISABLE TRIGGER USER`;
      await db.$executeRaw`UPDATE approval SET resolved_at = resolved_at - interval '1 day' * (random() * 3)::int, created_at = created_at - interval '4 days', resolution = (resolution::jsonb || jsonb_build_object('resolvedBy', 'owner', 'resolvedAt', (extract(epoch from resolved_at)*1000)::bigint))::json WHERE owner_id = ${owner.ownerId} AND random() < 0.6`;
      await db.$executeRaw`UPDATE approval SET resolution = (resolution::jsonb || jsonb_build_object('resolvedAt', (extract(epoch from resolved_at)*1000)::bigint))::json WHERE owner_id = ${owner.ownerId}`;
      await db.$executeRaw`ALTER TABLE approval ENABLE TRIGGER USER`;
      for (const question of qs.slice(0, 3)) await app.ask({ question, recommendation: "yes" });
      await shot("/approvals", "waiting");
      await shot("/approvals", "waiting-sort", async () => page.locator("summary", { hasText: "Longest" }).click());
      await shot("/approvals?status=snoozed", "snoozed");
      await shot("/approvals?status=resolved", "answered");
      await shot("/approvals?status=resolved&by=owner", "answered-filter");
      await shot("/approvals?q=zzz", "filtered-empty");
      if (w === 390)
        await shot("/approvals?status=resolved", "answered-detail", async () => {
          await page.locator("[data-row]").first().click();
          await page.waitForTimeout(400);
        });
      await app.push({ title: "Backup finished" });
      await shot("/activity", "activity", async () => page.locator("[data-event] summary").nth(1).click());
      await shot("/activity", "activity-new", async () => {
        await app.ask({ question: "New one?" });
        await page.waitForTimeout(1500);
      });
    });
