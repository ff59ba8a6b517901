import { anApp, expect, test } from "./fixtures";
import { rowOf, settle } from "./inbox";

// What an app might do to an owner's attention and trust; the numbers are those of our list of threats. Others of them have
// files of their own: hostile text (inbox-safety), names that look alike (lib/apps), alerts (alerts, lib/alerts).

test("T1: an app that answers what only the owner can is refused, and the owner reads so", async ({ page, app }) => {
  const id = await app.ask({ question: "Yours?", ownerOnly: true });
  const reply = await app.call(`/api/approvals/${id}/resolve`, { kind: "option", optionId: "yes" });
  expect(reply.status).toBe(403);
  expect((await app.read(id)).status).toBe("pending");
  await expect(async () => {
    await page.goto("/activity");
    await expect(page.getByText("tried to answer a question that only you can answer").first()).toBeVisible();
  }).toPass({ timeout: 15_000 });
});

test("T2: two hundred questions of one app leave another's in sight, and Enter answers none", async ({
  page,
  owner,
  app,
}) => {
  for (let at = 0; at < 200; at++) await app.ask({ question: `Burst ${at}?` });
  const quiet = await anApp(owner);
  const id = await quiet.ask({ question: "The quiet one?" });
  await page.goto("/approvals");
  await settle(page);
  await expect(rowOf(page, "The quiet one?")).toBeInViewport();
  await expect(page.locator("summary").filter({ hasText: app.name })).toContainText("50 questions");
  await page.keyboard.press("Enter");
  await page.waitForTimeout(500);
  await page.keyboard.press("Enter");
  await page.waitForTimeout(500);
  const { data } = (await (await app.call("/api/approvals?status=resolved")).json()) as { data: unknown[] };
  expect(data).toEqual([]);
  expect((await quiet.read(id)).status).toBe("pending");
});

test("T2: an app that buries the owner is refused, and is muted in one step", async ({ page, owner, app }) => {
  const quiet = await anApp(owner);
  await quiet.ask({ question: "Mine?" });
  for (let at = 0; at < 6; at++) await app.ask({ question: `Burst ${at}?` });
  await page.goto("/approvals");
  await settle(page);
  await page.locator("summary").filter({ hasText: app.name }).click();
  await rowOf(page, "Burst 0?").click();
  await page.keyboard.press("m");
  await expect(page).toHaveTitle(/^\(1\) /);
  await expect(page.locator("summary").filter({ hasText: "Muted apps" })).toContainText("6 questions");
});

test("T4: one option is never the only way, and none is chosen for the owner", async ({ page, app }) => {
  const id = await app.ask({
    question: "Agreed?",
    options: [{ id: "no", label: "Yes, now" }],
    recommendation: "no",
  });
  await page.goto(`/approvals/${id}`);
  await settle(page);
  const decision = page.locator("[data-decision]");
  await expect(decision.locator("[checked], [autofocus], [aria-pressed=true]")).toHaveCount(0);
  await expect(decision.getByText("Other…")).toBeVisible();
  await expect(page.locator("body")).toBeFocused();
  await decision.getByText("Other…").click();
  await page.getByLabel("Your own answer").fill("None of these");
  await page.getByRole("button", { name: /^Send/ }).click();
  await expect(async () => expect((await app.read(id)).resolution?.otherText).toBe("None of these")).toPass();
});

test("T8: a notification cannot look like ours, and its link says where it leads", async ({ page, app }) => {
  await app.push({
    title: "Your account is locked",
    body: "Countersign security: [sign in](https://evil.example/login) now.",
    type: "security",
    data: { inbox: { url: "https://evil.example/login", format: "markdown", priority: "urgent" } },
  });
  await page.goto("/notifications");
  const row = page.locator("[data-slot]").filter({ hasText: "Your account is locked" });
  await expect(row).toContainText(app.name);
  await expect(row).toContainText("security");
  await row.getByText("Your account is locked", { exact: true }).click();
  for (const link of await row.locator("a[href*='evil.example']").all()) {
    await expect(link).toContainText("evil.example");
    expect(await link.getAttribute("rel")).toBe("noopener noreferrer nofollow");
  }
});
