import { askOnboardingQuestion } from "@/lib/approvals/service-questions/onboarding-question";
import { answerApproval } from "@/lib/testing/answer-approval";
import { expectAccessible } from "./axe-checks";
import { expect, test } from "./fixtures";
import { settle } from "./inbox-locators";
import { plugInAuthenticator } from "./virtual-authenticator";

const account = { name: "Ana Ferro", email: "ana@acme.example", password: "four words in a row" };

/** The headless browser denies permission without asking. */
const mayAsk = () => Object.defineProperty(Notification, "permission", { get: () => "default" });

test("requires at most six actions from the setup link to the first answer", { tag: "@more" }, async ({
  page,
  emptyService: { url, setupLink },
}) => {
  test.slow();
  await page.addInitScript(mayAsk);
  await page.goto(url);
  await expect(page.getByText("Open the setup link")).toBeVisible();
  await page.goto(`${url}/sign-in`);
  await expect(page).toHaveURL(`${url}/`);
  const wrong = await page.goto(setupLink.replace(/.$/, (last) => (last === "A" ? "B" : "A")));
  expect(wrong?.status()).toBe(404);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("This setup link doesn’t work");

  await page.goto(setupLink);
  await page.getByLabel("Your name").fill(account.name);
  await page.getByLabel("Email").fill(account.email);
  const password = page.getByLabel("Password");
  for (const [refused, why] of [
    ["too short", "at least 15 characters"],
    ["password12345678", "This password is too easy to guess"],
  ] as const) {
    await password.fill(refused);
    await page.getByRole("button", { name: "Create your account" }).click();
    await expect(page.locator("[id$=-error]")).toContainText(why);
    // The text appears once: neither above the form nor as the field's hint.
    await expect(page.getByText(/four (random )?words/i).filter({ visible: true })).toHaveCount(1);
    await expect(password).toBeFocused();
    await expect(page.getByLabel("Email")).toHaveValue(account.email);
  }
  await expect(password).toHaveAttribute("type", "password");
  await page.getByRole("button", { name: "Show password" }).click();
  await expect(password).toHaveAttribute("type", "text");
  await expect(password).toHaveValue("password12345678");
  await expectAccessible(page, "set-up");
  await page.setViewportSize({ width: 1280, height: 800 });

  const visited: string[] = [];
  page.on("framenavigated", (frame) => visited.push(new URL(frame.url()).pathname));
  let actions = 0;
  const act = async (does: Promise<unknown>) => {
    actions++;
    await does;
  };
  await act(page.goto(setupLink));
  // The first field has the focus.
  await expect(page.getByLabel("Your name")).toBeFocused();
  await act(page.keyboard.type(account.name));
  await act(page.getByLabel("Email").fill(account.email));
  await act(password.fill(account.password));
  await act(page.getByRole("button", { name: "Create your account" }).click());
  await page.waitForURL(`${url}/approvals/apr_*`);
  await expect(
    page.getByRole("heading", { name: "Would you like an alert when an app asks a question?" }),
  ).toBeVisible();
  await expect(page.locator("[data-decision]").getByText("This service")).toBeVisible();
  await settle(page);
  await act(page.getByRole("button", { name: /Turn on alerts/ }).click());

  const steps = page.getByRole("region", { name: "First steps" }).filter({ visible: true });
  await expect(steps.getByRole("heading", { name: "Next steps" })).toBeVisible();
  await expect(steps.getByRole("button", { name: "Turn on alerts in this browser" })).toBeVisible();
  expect(actions).toBeLessThanOrEqual(6);
  expect(visited).not.toContain("/developer");

  const device = await plugInAuthenticator(page);
  await steps.getByRole("button", { name: "Add a passkey" }).click();
  await expect(steps.getByText("Passkey added")).toBeVisible();
  expect(await device.count()).toBe(1);
  await expect(steps.getByText("1 of 4 done")).toBeVisible();
  await expect(steps).not.toContainText("/api/mcp");
  await expect(page).toHaveTitle(/Approvals/);
  await expectAccessible(page, "first steps");
  await page.setViewportSize({ width: 1280, height: 800 });
  await steps.getByRole("button", { name: "Send a test question" }).click();
  await expect(page.getByRole("heading", { name: "Did this question reach you?" })).toBeVisible();
  await page.goto(`${url}/approvals?status=resolved`);
  await expect(page.locator("[data-list]")).toContainText("Turn on alerts");
  expect((await page.goto(setupLink))?.status()).toBe(404);
  await page.goto(url);
  await expect(page).toHaveURL(/\/approvals/);
});

test("reaches the first answer on a phone in exactly six actions", { tag: "@more" }, async ({
  page,
  emptyService: { setupLink },
}) => {
  test.slow();
  await page.setViewportSize({ width: 390, height: 844 });
  let actions = 0;
  const act = async (does: Promise<unknown>) => {
    actions++;
    await does;
  };
  await act(page.goto(setupLink));
  await act(page.getByLabel("Your name").fill(account.name));
  await act(page.getByLabel("Email").fill(account.email));
  await act(page.getByLabel("Password").fill(account.password));
  await act(page.getByRole("button", { name: "Create your account" }).click());
  await expect(
    page.getByRole("heading", { name: "Would you like an alert when an app asks a question?" }),
  ).toBeVisible();
  await settle(page);
  await act(page.getByRole("button", { name: /^Not now/ }).click());
  await expect(page.getByRole("heading", { name: "Next steps" }).filter({ visible: true })).toBeVisible();
  expect(actions).toBe(6);
});

test("hides the first steps when the owner dismisses them", { tag: "@more" }, async ({ page, owner }) => {
  await page.addInitScript(mayAsk);
  const { id } = await askOnboardingQuestion(owner);
  await answerApproval(owner, id, { kind: "option", optionId: "more" });
  await page.goto("/approvals");
  const steps = page.getByRole("region", { name: "First steps" }).filter({ visible: true });
  await expect(steps.getByRole("heading", { name: "How alerts work" })).toBeVisible();
  await expect(steps.getByRole("button", { name: "Turn on alerts in this browser" })).toBeVisible();
  // Browsers draw their own bar in a dark track, which looks complete.
  await expect(steps.getByRole("progressbar")).toHaveCSS("appearance", "none");
  const back = page.locator("main").getByRole("link", { name: "Approvals" });
  for (const step of ["Set up your phone", "Register an app"]) {
    await steps.getByRole("link", { name: step }).click();
    await back.click();
  }
  await steps.getByRole("button", { name: "Hide these steps" }).click();
  await expect(page.getByText(/caught up/).filter({ visible: true })).toBeVisible();
  await expect(page.getByRole("region", { name: "First steps" })).toHaveCount(0);
});
