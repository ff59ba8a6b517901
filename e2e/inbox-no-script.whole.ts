import { expect, test } from "./fixtures";

// Owners can do everything they need without scripts.
test.use({ javaScriptEnabled: false });

test("answers a question when scripts are off", async ({ page, app }) => {
  const id = await app.ask({ question: "Ship it?", backgroundContext: `**All** green${"\n\nAnd more".repeat(60)}` });
  await page.goto("/approvals");
  await page.getByRole("link", { name: /Ship it\?/ }).click();
  await expect(page).toHaveURL(`/approvals/${id}`);
  await expect(page.locator("strong")).toHaveText("All");
  // There is no hint of hidden text, because all text is visible and the answers follow it.
  const background = page.locator("section:has(> [data-end='the background'])");
  expect(await background.evaluate((box) => box.scrollHeight - box.clientHeight)).toBe(0);
  await expect(page.locator("[data-bar]")).toHaveCSS("position", "relative");
  await page.getByText("Add a note").click();
  await page.getByLabel(/Note to/).fill("Carefully");
  await page.getByRole("button", { name: "Yes" }).click();
  await expect(page).toHaveURL(`/approvals/${id}`);
  await expect(page.getByRole("region", { name: "Answer", exact: true })).toContainText("You answered");
  expect((await app.read(id)).resolution).toMatchObject({ optionId: "yes", note: "Carefully" });

  const day = await app.ask({ question: "Which day?" });
  await page.goto(`/approvals/${day}`);
  await page.getByText("Write an answer").click();
  await page.getByLabel("Your own answer").fill("Tomorrow");
  await page.getByRole("button", { name: "Send this answer" }).click();
  await expect(page.getByRole("region", { name: "Answer", exact: true })).toContainText("Tomorrow");
  expect((await app.read(day)).resolution).toMatchObject({ kind: "other", otherText: "Tomorrow" });

  const quick = await app.ask({ question: "Ship it now?" });
  await page.goto(`/approvals/${quick}`);
  await app.call(`/api/approvals/${quick}/resolve`, { kind: "option", optionId: "no" });
  await page.getByRole("button", { name: "Yes" }).click();
  await expect(page.getByRole("region", { name: "Answer", exact: true })).toContainText("answered its own question");
});

test("shows the first fifteen of sixty questions when scripts are off", async ({ page, app }) => {
  const read = async (address: string) => {
    const html = await (await page.request.get(address)).text();
    return { rows: html.match(/ data-row="/g)?.length, bytes: html.length, more: html.includes(">Show more<") };
  };
  const askTo = async (count: number, from = 0) => {
    for (let at = from; at < count; at++)
      await app.ask({ question: `Question ${at}?`, backgroundContext: "All **green**." });
  };
  await askTo(10);
  const few = await read("/approvals");
  expect([few.rows, few.more]).toEqual([10, false]);
  await askTo(60, 10);
  const many = await read("/approvals");
  expect([many.rows, many.more]).toEqual([15, true]);
  expect(many.bytes).toBeLessThan(1.2 * few.bytes);
  const all = await read("/approvals?rows=50");
  expect([all.rows, all.more]).toEqual([50, false]);
});

test("answers a high-risk question in two steps when scripts are off", async ({ page, app }) => {
  const id = await app.ask({ question: "Delete all backups?", risk: "high" });
  await page.goto(`/approvals/${id}`);
  await page.getByText("Add a note").click();
  await page.getByLabel(/Note to/).fill("Carefully");
  await page.getByRole("button", { name: "Yes" }).click();
  await expect(page.getByText("Answer “Yes”?", { exact: true })).toBeVisible();
  expect((await app.read(id)).status).toBe("pending");
  await page.getByRole("button", { name: "Send", exact: true }).click();
  await expect(page.getByRole("region", { name: "Answer", exact: true })).toContainText("You answered");
  expect((await app.read(id)).resolution).toMatchObject({ optionId: "yes", note: "Carefully" });
});

test("accepts only the correct number for a question when scripts are off", async ({ page, app }) => {
  const [right, wrong] = [
    await app.ask({ question: "Delete it?", risk: "high", match: "47" }),
    await app.ask({ question: "Delete all?", risk: "high", match: "47" }),
  ];
  await page.goto(`/approvals/${right}`);
  await page.getByRole("radio", { name: "47" }).check();
  await page.getByRole("button", { name: "Yes" }).click();
  await page.getByRole("button", { name: "Send", exact: true }).click();
  await expect(page.getByRole("region", { name: "Answer", exact: true })).toContainText("You answered");
  expect((await app.read(right)).resolution).toMatchObject({ optionId: "yes" });

  await page.goto(`/approvals/${wrong}`);
  await page
    .getByRole("radio", { name: /^(?!47)/ })
    .first()
    .check();
  await page.getByRole("button", { name: "Yes" }).click();
  await expect(page.getByRole("region", { name: "Wrong number" })).toContainText("Your answer wasn’t sent");
  await expect(page.locator("[data-decision] button[name=optionId]")).toHaveCount(0);
  expect((await app.read(wrong)).status).toBe("pending");
});

test("marks a notification as read when scripts are off", async ({ page, app }) => {
  await app.push({ title: "Backup finished", body: "All of it" });
  await page.goto("/notifications");
  await page.locator("summary").filter({ hasText: "Backup finished" }).click();
  await expect(page.getByLabel(`From ${app.name}`)).toHaveText("All of it");
  await page.getByRole("button", { name: /^Mark as read/ }).click();
  await expect(page.locator("[data-slot]").getByText("Unread", { exact: true })).toHaveCount(0);
});

test("returns to the question after a sign-in when scripts are off", async ({ page, owner, app }) => {
  const id = await app.ask({ question: "Ship it?" });
  await page.context().clearCookies();
  await page.goto(`/approvals/${id}`);
  await expect(page).toHaveURL(/\/sign-in\?next=/);
  await page.getByLabel("Email").fill(owner.email);
  await page.getByLabel("Password", { exact: true }).fill(owner.password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page).toHaveURL(`/approvals/${id}`);
});
