import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import type { Page } from "@playwright/test";
import { canonicalJson } from "@/lib/client/canonical-json";
import { fingerprintOf } from "@/lib/lens/fingerprint";
import { requestLink } from "@/lib/lens/request-link";
import { lensPath } from "@/lib/testing/build-lens";
import { payment, requestText, sampleRequest } from "@/lib/testing/sample-signing-request";
import { drawQrCode } from "@/lib/text/qr-code";
import { alteredDisplays } from "./altered-displays";
import { expectAccessible } from "./axe-checks";
import { expect, serviceUrl, test } from "./fixtures";

const saved = `file://${resolve(lensPath)}`;
const request = requestText(sampleRequest({ texts: { note: "Only this once" } }));
const main = (page: Page) => page.getByRole("main");
const words = async (page: Page) => (await page.locator(".words li").allTextContents()).join(" ");

/** Opens the lens, and records every request except those for its own file. */
async function openLens(page: Page, url = saved): Promise<string[]> {
  const sent: string[] = [];
  await page.context().route(/^(?!file:|data:)/, (route) => {
    const target = route.request().url();
    if (target === url) return route.continue();
    sent.push(target);
    return route.abort();
  });
  page.on("request", (it) => {
    if (!it.url().startsWith(url.replace(/#.*/, "")) && !it.url().startsWith("data:")) sent.push(it.url());
  });
  await page.goto(url);
  return sent;
}

/** Pastes a text into the lens, and checks it. */
async function paste(page: Page, text: string) {
  const again = page.getByRole("button", { name: "Check another request" });
  if (await again.isVisible()) await again.click();
  await page.getByLabel("Signing request, or its link").fill(text);
  await page.getByRole("button", { name: "Check the request" }).click();
}

test("shows a pasted request from a saved file without any request", { tag: "@phone" }, async ({ page }) => {
  const sent = await openLens(page);
  await paste(page, request);
  await expect(main(page).getByRole("heading", { name: payment.question })).toBeVisible();
  const text = await main(page).innerText();
  for (const expected of [
    "Amount\n86.40 €",
    "To\nHarbour Bakery, GB33 BUKB 2020 1555 5555 55",
    "Your answer\nPay 86.40 €",
    "You allow\n86.40 EUR",
    "App proposes\n86.40 EUR",
    "Accepted\n1.00 to 100.00 EUR",
    "Your note\nOnly this once",
    "Ask me again on Monday\nDon’t pay",
    "The app rates the risk of this decision as high.",
    "- 24 loaves\n- 2 cakes",
    "https://yes.example.com",
    "app_4f2k9m",
    "This is a saved lens. The service can’t change it.",
  ])
    expect(text.replaceAll(/\n+/g, "\n")).toContain(expected);
  await page.getByText("Everything, as JSON").click();
  for (const expected of ['"id": "keep"', '"approval": "apr_', '"required": [', '"account": "Current"'])
    await expect(page.locator("details")).toContainText(expected);
  const statement = canonicalJson(JSON.parse(request).statement);
  const fingerprint = await fingerprintOf(statement);
  expect(await words(page)).toBe(fingerprint.words.join(" "));
  await expect(main(page)).toContainText(fingerprint.groups.join(" "));
  const fetched = () =>
    fetch("https://elsewhere.example/").then(
      () => "sent",
      () => "blocked",
    );
  expect(await page.evaluate(fetched)).toBe("blocked");
  expect(sent).toEqual([]);
});

test("shows the truth or refuses for each lie of an altered page", { tag: "@more" }, async ({ page }) => {
  expect(alteredDisplays.length).toBeGreaterThanOrEqual(20);
  const sent = await openLens(page);
  for (const { lie, truth, display, answer, texts, shows, hides = [] } of alteredDisplays) {
    const content = structuredClone(payment);
    truth?.(content);
    const given = answer ?? { option: "pay", values: { amount: { amount: "86.40", currency: "EUR" } } };
    const honest = sampleRequest({ content, answer: given, ...(texts && { texts }) });
    await test.step(`${lie}: shows the truth`, async () => {
      await paste(page, requestText(honest));
      await expect(page.getByRole("heading", { level: 1 })).toHaveText("Your signature would say");
      const text = (await main(page).innerText()).replaceAll(/\n+/g, "\n");
      for (const part of shows) expect(text, lie).toContain(part);
      for (const part of hides) expect(text, lie).not.toContain(part);
    });
    await test.step(`${lie}: refuses a request that matches the display`, async () => {
      const displayed = structuredClone(content);
      display(displayed);
      const altered = {
        ...honest,
        ...(JSON.stringify(displayed) === JSON.stringify(content)
          ? { texts: [{ otherText: "Pay", note: "Ask again" }] }
          : { contents: [displayed] }),
      };
      await paste(page, requestText(altered));
      await expect(page.getByRole("heading", { level: 1 }), lie).toHaveText("Refused");
      await expect(page.getByRole("alert")).toContainText("was changed");
    });
  }
  expect(sent).toEqual([]);
});

test("shows other words for a request that an altered page changed completely", { tag: "@more" }, async ({ page }) => {
  await openLens(page);
  await paste(page, request);
  const before = await words(page);
  // The altered page shows these words, but the passkey signs a statement about 864.00 €.
  const content = structuredClone(payment);
  content.facts[0] = { label: "Amount", value: "864.00 €" };
  await paste(page, requestText(sampleRequest({ content, texts: { note: "Only this once" } })));
  await expect(main(page)).toContainText("864.00 €");
  expect(await words(page)).not.toBe(before);
});

test("takes a request from a link, a file and a picture", { tag: ["@phone", "@more"] }, async ({ page }, info) => {
  const sent = await openLens(page, requestLink(saved, request));
  await expect(main(page).getByRole("heading", { name: payment.question })).toBeVisible();
  expect(page.url()).toBe(saved);

  await page.getByRole("button", { name: "Check another request" }).click();
  const json = info.outputPath("request.json");
  writeFileSync(json, request);
  await page.getByLabel("File, or picture of the QR code").setInputFiles(json);
  await expect(main(page).getByRole("heading", { name: payment.question })).toBeVisible();

  await page.getByRole("button", { name: "Check another request" }).click();
  const picture = info.outputPath("request.png");
  await drawPicture(page, request, picture);
  await page.getByLabel("File, or picture of the QR code").setInputFiles(picture);
  await expect(main(page).getByRole("heading", { name: payment.question })).toBeVisible();

  await page.getByRole("button", { name: "Check another request" }).click();
  const blank = info.outputPath("blank.png");
  await page.screenshot({ path: blank });
  await page.getByLabel("File, or picture of the QR code").setInputFiles(blank);
  await expect(page.getByRole("alert")).toContainText("no readable QR code");
  await paste(page, "Pay?");
  await expect(page.getByRole("alert")).toContainText("This text isn’t a signing request.");
  expect(sent).toEqual([]);
});

/** Draws a QR code in another page of the same browser, and stores its picture. */
async function drawPicture(page: Page, text: string, path: string) {
  const other = await page.context().newPage();
  const { side, path: modules } = drawQrCode(text);
  await other.setViewportSize({ width: 900, height: 900 });
  await other.setContent(
    `<body style="margin:0"><svg viewBox="0 0 ${side} ${side}" width="900" shape-rendering="crispEdges"><rect width="100%" height="100%" fill="#fff"/><path d="${modules}"/></svg>`,
  );
  await other.screenshot({ path });
  await other.close();
}

test("shows each kind of field with its value, proposal and limits", { tag: "@more" }, async ({ page }) => {
  const properties = {
    approved: { type: "boolean", default: false },
    copies: { type: "integer", minimum: 1, maximum: 5 },
    day: { type: "string", format: "date" },
    memo: { type: "string", minLength: 2, maxLength: 40, description: "Appears on the statement." },
    parts: {
      type: "array",
      items: {
        anyOf: [
          { const: "a", title: "Loaves" },
          { const: "b", title: "Cakes" },
        ],
      },
      minItems: 1,
    },
    rows: {
      type: "object",
      format: "items",
      items: [
        { id: "r1", label: "Loaves" },
        { id: "r2", label: "Cakes", note: "Late" },
      ],
    },
    speed: {
      type: "string",
      oneOf: [
        { const: "now", title: "Today" },
        { const: "slow", title: "In a week" },
      ],
    },
  };
  const content = { ...payment, fields: { type: "object", properties, required: ["copies"] } };
  const values = {
    approved: true,
    copies: 2,
    memo: "Bread\u200b",
    parts: ["b"],
    rows: { r1: "approve", r2: "reject" },
    speed: "slow",
  };
  await openLens(page);
  await paste(page, requestText(sampleRequest({ content, answer: { option: "pay", values } })));
  await expect(page.locator(".fields")).toBeVisible();
  const text = (await page.locator(".fields").innerText()).replaceAll(/\n+/g, "\n");
  for (const expected of [
    "approved\nYou allow\nYes\nApp proposes\nNo",
    "copies (required)\nYou allow\n2\nAccepted\n1 to 5",
    "day\nYou allow\nNo value\nAccepted\nformat date",
    "Appears on the statement.\nYou allow\nBreadU+200B zero-width space\nAccepted\n2 to 40 characters",
    "parts\nYou allow\nCakes (b)\nAccepted\nat least 1 of: Loaves (a), Cakes (b)",
    "rows\nYou allow\nApprove Loaves\nReject Cakes\nLate",
    "speed\nYou allow\nIn a week (slow)\nAccepted\nToday (now), In a week (slow)",
  ])
    expect(text.replaceAll(" U+", "U+")).toContain(expected);
});

test("shows every question of a batch, and warns of an old request", { tag: "@more" }, async ({ page }) => {
  const first = sampleRequest({ statement: { offeredAt: Date.now() - 3_600_000 } });
  const second = sampleRequest({
    content: { ...payment, question: "Pay invoice 8?" },
    answer: { approval: "apr_2", option: "keep" },
  });
  const answers = [...first.statement.answers, ...second.statement.answers];
  const batch = {
    contents: [...first.contents, { ...payment, question: "Pay invoice 8?" }],
    statement: { ...first.statement, answers },
    texts: [{}, {}],
  };
  await openLens(page);
  await paste(page, requestText(batch));
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Your signature would answer 2 questions");
  await expect(page.locator(".question")).toHaveText([payment.question, "Pay invoice 8?"]);
  await expect(page.locator(".chosen")).toHaveText(["Pay 86.40 €", "Don’t pay"]);
  await expect(main(page)).toContainText("This request is older than five minutes.");
});

test("leads from a very long request to the six words on a phone", { tag: "@more" }, async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const content = { ...payment, backgroundContext: "The bakery sent the invoice.\n".repeat(300) };
  await openLens(page);
  await paste(page, requestText(sampleRequest({ content })));
  await expect(page.locator(".words")).not.toBeInViewport();
  await page.getByRole("link", { name: "Go to the six words" }).click();
  await expect(page.locator(".words")).toBeInViewport();
  await expect(main(page).getByRole("heading", { name: payment.question })).toBeAttached();
});

test("explains that the camera is not allowed", { tag: "@more" }, async ({ page }) => {
  await page.addInitScript(() => {
    navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException("", "NotAllowedError"));
  });
  await openLens(page);
  await page.getByRole("button", { name: "Scan the QR code" }).click();
  await expect(page.getByRole("alert")).toContainText("Couldn’t open the camera.");
  await expect(page.getByRole("button", { name: "Scan the QR code" })).toBeVisible();
});

test("uses the browser's own QR reader if there is one", { tag: "@more" }, async ({ page }, info) => {
  await page.addInitScript((text) => {
    Object.defineProperty(window, "BarcodeDetector", {
      value: class {
        static getSupportedFormats = async () => ["qr_code"];
        detect = async () => [{ rawValue: text }];
      },
    });
  }, request);
  await openLens(page);
  const blank = info.outputPath("blank.png");
  await page.screenshot({ path: blank });
  await page.getByLabel("File, or picture of the QR code").setInputFiles(blank);
  await expect(main(page).getByRole("heading", { name: payment.question })).toBeVisible();
});

test("explains that a browser offers no camera", { tag: "@more" }, async ({ page }) => {
  await page.addInitScript(() => Object.defineProperty(navigator, "mediaDevices", { value: undefined }));
  await openLens(page);
  await expect(main(page)).toContainText("This browser offers no camera to this page.");
  await expect(page.getByRole("button", { name: "Scan the QR code" })).toHaveCount(0);
});

test("works where browsers offer no WebCrypto", { tag: "@more" }, async ({ page }) => {
  await page.addInitScript(() =>
    Object.defineProperty(Crypto.prototype, "subtle", { value: undefined, configurable: true }),
  );
  await openLens(page);
  await paste(page, request);
  const { words: expected } = await fingerprintOf(canonicalJson(JSON.parse(request).statement));
  await expect(page.locator(".words")).toBeVisible();
  expect(await words(page)).toBe(expected.join(" "));
});

test("refuses to work inside another page", { tag: "@more" }, async ({ page }) => {
  await page.route("https://around.example/**", (route) => {
    const isLens = route.request().url().endsWith("/lens");
    const body = isLens ? readFileSync(lensPath, "utf8") : '<iframe title="lens" src="/lens"></iframe>';
    return route.fulfill({ contentType: "text/html; charset=utf-8", body });
  });
  await page.goto("https://around.example/");
  const frame = page.frameLocator("iframe");
  await expect(frame.getByRole("alert")).toContainText("The lens doesn’t work inside another page.");
  await expect(frame.getByLabel("Signing request, or its link")).toHaveCount(0);
});

test("serves the lens with its own policy, and as a file to save", async ({ page }) => {
  const [shown, file] = await Promise.all([page.request.get("/lens"), page.request.get("/lens/countersign-lens.html")]);
  expect(await shown.text()).toBe(await file.text());
  expect(shown.headers()).toMatchObject({
    "content-security-policy": expect.stringContaining("connect-src 'none'"),
    "permissions-policy": expect.stringContaining("camera=(self)"),
    "cross-origin-opener-policy": "unsafe-none",
    "x-frame-options": "DENY",
    "cache-control": expect.stringContaining("no-transform"),
  });
  expect(shown.headers()["content-disposition"]).toBeUndefined();
  expect(file.headers()["content-disposition"]).toBe('attachment; filename="countersign-lens.html"');

  const sent = await openLens(page, `${serviceUrl()}/lens`);
  await paste(page, requestText(sampleRequest({ statement: { issuer: serviceUrl() } })));
  await expect(main(page)).toContainText("This lens comes from the service itself.");
  expect(sent).toEqual([]);
});

test("passes axe in the lens", { tag: "@more" }, async ({ page }) => {
  await page.goto(saved);
  await expectAccessible(page, "the empty lens");
  await paste(page, request);
  await expectAccessible(page, "a request in the lens");
  await paste(page, request.replace("86.40", "86.41"));
  await expectAccessible(page, "a refused request");
});
