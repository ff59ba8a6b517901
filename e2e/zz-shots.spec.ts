import { anApp, test } from "./fixtures";

test("shots", async ({ page, owner, app }) => {
  const two = await anApp(owner, "Bookkeeper");
  const id = await app.ask({ question: "Ship build 418 to production?", expiresAt: Date.now() + 7_200_000 });
  await two.ask({ question: "Pay invoice 88?" });
  const shot = async (name: string) => {
    for (const [width, height] of [
      [1280, 800],
      [390, 844],
    ] as const)
      for (const colorScheme of ["light", "dark"] as const) {
        await page.setViewportSize({ width, height });
        await page.emulateMedia({ colorScheme });
        await page.screenshot({ path: `/tmp/shots/${name}-${width}-${colorScheme}.png` });
      }
  };
  await page.goto("/frozen");
  await shot("none");
  await page.goto(`/apps/${two.clientId}`);
  await page.getByRole("button", { name: "Freeze this app" }).scrollIntoViewIfNeeded();
  await shot("app");
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto("/approvals");
  await shot("inbox-before");
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.getByRole("button", { name: "Freeze all apps" }).first().click();
  for (let n = 0; n < 14; n++) await app.call("/api/approvals");
  for (let n = 0; n < 3; n++) await two.call("/api/notifications", { title: "x" });
  await two.call("/api/events");
  await page.goto("/frozen");
  await shot("all");
  await page.goto("/approvals");
  await shot("inbox");
  await page.goto(`/approvals/${id}`);
  await shot("question");
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto("/activity");
  await page.getByText("More", { exact: true }).click();
  await shot("activity-more");
});
