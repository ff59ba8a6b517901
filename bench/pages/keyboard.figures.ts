import { anApp, expect, test } from "../../e2e/fixtures";
import { settle, theQuestion } from "../../e2e/inbox-locators";
import { rounded, table } from "./table";

const many = 100;

test("measures the time to answer a hundred approvals by keyboard", async ({ page, owner, app }) => {
  const apps = [app, await anApp(owner), await anApp(owner)];
  for (let at = 0; at < many; at++) {
    const options = Array.from({ length: 2 + (at % 4) }, (_, n) => ({ id: `option-${n}`, label: `Way ${n + 1}` }));
    await apps[at % apps.length]?.ask({
      question: `Question ${at}: which way?`,
      options,
      ...(at % 3 === 0 && { backgroundContext: `Some **background** for question ${at}.\n\n- one\n- two` }),
      ...(at % 5 === 0 && { recommendation: "option-1" }),
    });
  }
  await page.goto("/approvals");
  await settle(page);
  const began = performance.now();
  let presses = 0;
  let typed = 0;
  const press = async (key: string) => {
    presses++;
    await page.keyboard.press(key);
  };
  for (let at = 0; at < many; at++) {
    const asked = (await theQuestion(page).textContent()) ?? "";
    // The shortest delay after which a new question accepts an answer.
    await settle(page);
    if (at % 10 === 9) {
      await press("o");
      const words = "Neither: ask me tomorrow";
      await page.keyboard.type(words);
      typed += words.length;
      await press("Control+Enter");
    } else {
      if (at % 10 === 4) {
        await press("n");
        await page.keyboard.type("Fine");
        typed += 4;
        await press("Escape");
      }
      await press(String(1 + (at % 2)));
    }
    if (at < many - 1) await expect(theQuestion(page)).not.toHaveText(asked);
  }
  await expect(page.getByRole("heading", { name: "You’re all caught up" })).toBeVisible();
  const seconds = (performance.now() - began) / 1000;
  await expect(async () => expect(await pendingOf(apps)).toBe(0)).toPass();
  table(
    "A hundred mixed approvals by keyboard",
    ["", "value"],
    [
      ["seconds", rounded(seconds)],
      ["keys per answer, without what was typed", presses / many],
      ["characters typed", typed],
    ],
  );
});

async function pendingOf(apps: { call: (path: string) => Promise<Response> }[]): Promise<number> {
  const lists = await Promise.all(apps.map(async (app) => (await app.call("/api/approvals?status=pending")).json()));
  return lists.reduce((sum, { data }: { data: unknown[] }) => sum + data.length, 0);
}
