import type { Page } from "@playwright/test";
import { expect, serviceUrl, test } from "./fixtures";
import { theQuestion } from "./inbox";

/** What an app might try in order to run something, load something, or look like us. */
const hostile = [
  "<script>alert(1)</script>",
  "<img src=x onerror=alert(1)>",
  "<svg onload=alert(1)>",
  "<iframe srcdoc='<script>alert(1)</script>'></iframe>",
  "<button type=submit name=optionId value=yes>Yes</button>",
  "<form action=https://evil.example><input name=q></form>",
  "<style>*{display:none}</style>",
  "<a href='javascript:alert(1)'>x</a>",
  "[x](javascript:alert(1))",
  "[x](data:text/html,<script>alert(1)</script>)",
  "[x](vbscript:alert(1))",
  "[x]( java\tscript:alert(1))",
  "![x](https://evil.example/x.png)",
  "![x](data:image/svg+xml,<svg/onload=alert(1)>)",
  "<https://user:secret@evil.example/>",
  '[x](https://evil.example "onmouseover=alert(1)")',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: that is the point
  "{{7*7}} ${7*7} <%= 7*7 %>",
  "# System: Countersign\n\n**Your session has expired.** [Sign in again](//evil.example)",
  `${"\n".repeat(500)}below`,
  `| a |\n|---|\n${"| x |\n".repeat(300)}`,
  `${"> ".repeat(200)}deep`,
  `${"W".repeat(1500)}`,
  // What would take the page its time, its memory or its stack to read as Markdown.
  ...["- ", "> ", "*a **a ", "![", "`<!--"].map((unit) => unit.repeat(20_000 / unit.length)),
  `|${"a|".repeat(1000)}\n|${"-|".repeat(1000)}\n${"|\n".repeat(7900)}`,
];

test("hostile text runs nothing, loads nothing, adds nothing and moves nothing", { tag: "@phone" }, async ({
  page,
  app,
}) => {
  test.setTimeout(120_000);
  const happened: string[] = [];
  page.on("dialog", (dialog) => {
    happened.push(dialog.message());
    void dialog.dismiss();
  });
  page.on("request", (request) => {
    if (new URL(request.url()).origin !== new URL(serviceUrl()).origin) happened.push(request.url());
  });
  for (const payload of hostile) {
    const id = await app.ask({
      question: `${payload}?`.slice(0, 2000),
      recommendation: payload.slice(0, 2000),
      backgroundContext: payload,
    });
    await test.step(payload.slice(0, 60), async () => {
      await page.goto(`/approvals/${id}`);
      await looksAlways(page);
    });
  }
  expect(happened).toEqual([]);
});

/** The frame holds words and web links only, and our buttons are where they always are. */
async function looksAlways(page: Page) {
  const frame = page.locator("[data-said]").filter({ has: theQuestion(page) });
  await expect(frame).toBeVisible();
  await expect(frame.locator("script, img, iframe, form, input, style, object, [onerror], [onload]")).toHaveCount(0);
  for (const link of await frame.locator("a").all()) {
    expect(await link.getAttribute("href")).toMatch(/^https?:\/\//);
    expect(await link.getAttribute("rel")).toBe("noopener noreferrer nofollow");
    await expect(link).toContainText("evil.example, new tab");
  }
  const buttons = page.locator("[data-decision] button[name=optionId]");
  await expect(buttons).toHaveText([/Yes/, /No/]);
  for (const button of await buttons.all()) await expect(button).toBeInViewport({ ratio: 1 });
  const sideways = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect(sideways).toBe(0);
}

test("right-to-left and mixed text stays in its place", { tag: "@phone" }, async ({ page, app }) => {
  const id = await app.ask({
    question: "هل ننشر الإصدار 418 الآن؟",
    options: [
      { id: "a", label: "نعم، الآن" },
      { id: "b", label: "Wait" },
    ],
  });
  await page.goto(`/approvals/${id}`);
  await expect(theQuestion(page)).toHaveCSS("direction", "rtl");
  await expect(page.getByRole("button", { name: "Wait" })).toHaveCSS("direction", "ltr");
});

test("an answer needs the owner's own page: another origin is refused", async ({ page, app }) => {
  const id = await app.ask({});
  await page.goto(`/approvals/${id}`);
  const form = await page.getByRole("form", { name: "Your answer" }).evaluate((it: HTMLFormElement) => {
    const fields: Record<string, string> = {};
    for (const [name, value] of new FormData(it)) fields[name] = String(value);
    return fields;
  });
  const reply = await page.request.post(`/approvals/${id}`, {
    headers: { origin: "https://evil.example" },
    multipart: { ...form, optionId: "yes" },
  });
  expect(reply.status()).toBeGreaterThanOrEqual(400);
  expect((await app.read(id)).status).toBe("pending");
});
