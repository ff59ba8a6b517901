import type { Page } from "@playwright/test";
import { countInbox } from "@/lib/approvals/inbox-queries";
import { askOnboardingQuestion } from "@/lib/approvals/service-questions/onboarding-question";
import { db } from "@/lib/database/db";
import { everyApp, unfreeze } from "@/lib/freeze/freeze";
import { changeSettings } from "@/lib/owners/settings";
import { answerApproval } from "@/lib/testing/answer-approval";
import { aPushService } from "@/lib/testing/fake-push-service";
import { expectAccessible } from "./axe-checks";
import { canSubscribe, deliver, shownAlerts, worker } from "./browser-alerts";
import { expect, serviceUrl, signIn, test } from "./fixtures";
import { rowOf, settle } from "./inbox-locators";
import { launching } from "./launch-options";
import { signedInBefore } from "./stale-sign-in";
import { alive } from "./wait-for-hydration";

test.use({ serviceWorkers: "allow", launchOptions: launching(true) });
test.describe.configure({ mode: "serial" });

/** Waits until alerts are on. The button's text also contains the words "this browser". */
const isListed = (page: Page) =>
  expect(page.getByRole("list", { name: "Browsers that show alerts" })).toContainText("This browser");

let service: Awaited<ReturnType<typeof aPushService>>;
test.beforeAll(async () => {
  service = await aPushService(Number(new URL(process.env.E2E_PUSH ?? "http://127.0.0.1:0").port));
});
test.afterAll(() => service.close());

test("asks for notification permission only on a button press and then shows alerts", { tag: "@more" }, async ({
  page,
  app,
}) => {
  test.slow();
  const browser = service.browser();
  await canSubscribe(page, browser);
  const asked = () =>
    page.evaluate(() => (window as typeof window & { askedPermission?: number }).askedPermission ?? 0);
  for (const path of ["/approvals", "/notifications", "/settings/alerts", "/settings"]) {
    await page.goto(path);
    await alive(page);
    expect(await asked()).toBe(0);
  }
  await worker(page);
  await page.getByRole("button", { name: "Turn on alerts in this browser" }).click();
  await expect(page.getByText("Alerts are on in this browser.")).toBeVisible();
  await page.getByRole("link", { name: "All alert settings" }).click();
  await isListed(page);
  expect(await asked()).toBe(1);
  await expect(page.getByRole("button", { name: "Turn on alerts in this browser" })).toHaveCount(0);
  await page.getByRole("button", { name: "Send a test" }).click();
  await expect(page.getByText("Test alert sent. It should arrive in a moment.")).toBeVisible();
  await expectAccessible(page, "settings with a browser that shows alerts");
  await page.setViewportSize({ width: 1280, height: 800 });

  const id = await app.ask({ question: "Launch the missiles?" });
  await expect.poll(() => service.pushed.length).toBe(2);
  expect(service.problems).toEqual([]);
  const [test_, alert] = service.pushed.map(({ message }) => message);
  // A visible page shows the alert itself.
  await deliver(page, alert!);
  await page.waitForTimeout(500);
  expect(await shownAlerts(page)).toEqual([]);
  // DevTools may lose a message on a busy machine. A repeated message replaces its alert.
  await expect(async () => {
    await deliver(page, test_!);
    await expect.poll(() => shownAlerts(page), { timeout: 5000 }).toMatchObject([{ title: "Alerts are working" }]);
  }).toPass();
  // Otherwise, the browser shows the alert, even over another page of the service. A click keeps
  // that page open.
  await page.goto("/docs");
  // The worker may still count the previous page briefly.
  await expect(async () => {
    await deliver(page, alert!);
    const shown = { title: `New question from ${app.name}`, body: "Open Countersign to see the question.", tag: id };
    const actions = ["snooze", "freeze"];
    await expect.poll(() => shownAlerts(page), { timeout: 5000 }).toContainEqual({ ...shown, actions });
  }).toPass();

  await page
    .context()
    .serviceWorkers()[0]
    ?.evaluate(
      () =>
        new Promise<void>((resolve) => {
          const notification = { tag: "x", data: { navigate: "/settings" }, close: () => {} };
          const waitUntil = (work: Promise<unknown>) => work.finally(resolve).catch(() => {});
          self.dispatchEvent(Object.assign(new Event("notificationclick"), { action: "", notification, waitUntil }));
        }),
    );
  expect(new URL(page.url()).pathname).toBe("/docs");

  await page.goto(`/approvals/${id}`);
  await settle(page);
  await page.getByRole("button", { name: "Yes" }).click();
  await expect.poll(() => service.pushed.length).toBe(3);
  expect(service.pushed[2]?.message).toEqual({ close: id, app_badge: 0 });
  await deliver(page, service.pushed[2]!.message);
  await expect.poll(async () => (await shownAlerts(page)).filter(({ tag }) => tag === id)).toEqual([]);
});

test("snoozes and answers questions from browser alerts", {
  tag: "@more",
}, async ({ page, app, owner }) => {
  const browser = service.browser();
  await canSubscribe(page, browser);
  await page.goto("/settings/alerts");
  await worker(page);
  await page.getByRole("button", { name: "Turn on alerts in this browser" }).click();
  await isListed(page);
  const id = await app.ask({});
  // A page dismisses only alerts that were sent before its state was read.
  await expect.poll(() => service.pushed.some(({ message }) => JSON.stringify(message).includes(id))).toBe(true);
  await page.evaluate(async (tag) => {
    const registration = await navigator.serviceWorker.ready;
    await registration.showNotification("Still waits", { tag });
    await registration.showNotification("Waits no more", { tag: tag.replace(/.$/, "0").replace(/^apr_./, "apr_v") });
  }, id);
  await page.reload();
  await expect.poll(async () => (await shownAlerts(page)).map(({ title }) => title)).toEqual(["Still waits"]);

  const cookie = (await page.context().cookies()).map(({ name, value }) => `${name}=${value}`).join("; ");
  const foreign = await fetch(`${serviceUrl()}/alerts/snooze`, {
    method: "POST",
    headers: { cookie, origin: "https://evil.example", "sec-fetch-site": "cross-site" },
    body: new URLSearchParams({ id }),
  });
  expect(foreign.status).toBe(403);
  await deliver(page, { notification: { title: "x", tag: "test", navigate: "/approvals" } });
  const [worker_] = page.context().serviceWorkers();
  // Simulates a press on the notification's button, because browsers don't let tests press it.
  await worker_?.evaluate((tag) => {
    const event = Object.assign(new Event("notificationclick"), {
      action: "snooze",
      notification: { tag, data: { navigate: `/approvals/${tag}` }, close: () => {} },
      waitUntil: () => {},
    });
    self.dispatchEvent(event);
  }, id);
  await expect.poll(async () => (await countInbox(owner)).snoozed).toBe(1);
  await expect.poll(() => service.pushed.at(-1)?.message).toEqual({ close: id, app_badge: 0 });

  // Uses an alert to answer a question that the page doesn't show.
  await changeSettings({ ...owner, fresh: true }, { lockScreen: "full", answerFromAlerts: true });
  await db.alert.updateMany({ where: { ownerId: owner.ownerId }, data: { createdAt: new Date(0) } });
  const easy = await app.ask({ question: "Tidy the cache?", risk: "low" });
  type Offered = { notification?: { tag: string; data?: { ticket: string }; actions: { action: string }[] } };
  const offer = () =>
    service.pushed.map(({ message }) => (message as Offered).notification).find((it) => it?.tag === easy);
  await expect.poll(() => offer()?.actions.map(({ action }) => action)).toEqual(["answer-0", "answer-1", "freeze"]);
  await deliver(page, { notification: { ...offer(), tag: "test" } });
  await expect
    .poll(async () => (await shownAlerts(page)).map(({ title, actions }) => ({ title, actions })))
    .toContainEqual({ title: `${app.name} asks · low risk`, actions: ["answer-0", "answer-1"] });
  const came = await worker_?.evaluate(
    ({ tag, data }) =>
      new Promise<string>((resolve) => {
        const notification = { tag, data: { ...data, navigate: `/approvals/${tag}` }, close: () => {} };
        const waitUntil = (work: Promise<unknown>) =>
          void work.then(
            () => resolve("shown"),
            (why) => resolve(String(why)),
          );
        const event = new Event("notificationclick");
        self.dispatchEvent(Object.assign(event, { action: "answer-1", notification, waitUntil }));
      }),
    { tag: easy, data: offer()?.data },
  );
  expect(came).toBe("shown");
  const told = { title: "Answered · No", body: "Tidy the cache?", tag: `answered.${easy}`, actions: [] };
  await expect.poll(() => shownAlerts(page)).toContainEqual(told);
  expect((await app.read(easy)).resolution).toMatchObject({ optionId: "no", resolvedBy: "owner" });
  await worker_?.evaluate(() => {
    const notification = { tag: "x", data: { navigate: "/approvals" }, close: () => {} };
    const event = Object.assign(new Event("notificationclick"), {
      action: "freeze",
      notification,
      waitUntil: () => {},
    });
    self.dispatchEvent(event);
  });
  await expect.poll(async () => (await shownAlerts(page)).map(({ title }) => title)).toContain("All apps are frozen");
  expect((await app.call("/api/approvals")).status).toBe(403);
  await unfreeze(owner, everyApp);

  await page.getByRole("button", { name: "Remove" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
  await expect(page.getByRole("button", { name: "Turn on alerts in this browser" })).toBeVisible();
  await page.reload();
  await expect(page.getByRole("button", { name: "Turn on alerts in this browser" })).toBeVisible();

  await page.getByRole("button", { name: "Turn on alerts in this browser" }).click();
  await isListed(page);
  const { ownerId } = owner;
  const runOut = () => db.pushSubscription.updateMany({ where: { ownerId }, data: { sessionId: "ses_gone" } });
  const session = async () => (await db.pushSubscription.findFirst({ where: { ownerId } }))?.sessionId;
  await runOut();
  // The link opens in a new tab.
  await page.evaluate(() => sessionStorage.clear());
  await page.goto("/settings/alerts");
  await isListed(page);
  await expect(page.getByRole("button", { name: "Turn on alerts in this browser" })).toHaveCount(0);
  // The link opens in the existing tab.
  await page.goto("/notifications");
  await expect.poll(() => page.evaluate(() => sessionStorage.getItem("countersign.alerts"))).toBe(ownerId);
  await runOut();
  await page.context().clearCookies();
  await signIn(page, owner);
  await expect.poll(session).toMatch(/^ses_(?!gone)/);
  await page.goto("/settings/security");
  const before = await session();
  await page.getByLabel("Current password").fill(owner.password);
  await page.getByLabel("New password").fill("four other words in a row");
  await page.getByRole("button", { name: "Change password" }).click();
  await expect(page.getByText("Password changed.")).toBeVisible();
  expect(await session()).not.toBe(before);
  expect(await db.ownerSession.count({ where: { ownerId, endedAt: null } })).toBe(1);
  await page.getByRole("button", { name: "Sign out everywhere" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Sign out everywhere" }).click();
  await page.waitForURL("**/sign-in**");
  expect(await db.pushSubscription.count({ where: { ownerId } })).toBe(0);
});

test("requires a fresh sign-in to turn on browser alerts", async ({ page, owner }) => {
  await canSubscribe(page, service.browser());
  await signedInBefore(owner, 20);
  await page.goto("/settings/alerts");
  await worker(page);
  const browsers = page
    .locator("section")
    .filter({ has: page.getByRole("heading", { name: "Alerts in your browsers" }) });
  await browsers.getByRole("button", { name: "Turn on alerts in this browser" }).click();
  await expect(browsers.getByRole("alert")).toContainText("Sign in again");
  expect(await db.pushSubscription.count({ where: { ownerId: owner.ownerId } })).toBe(0);
  await browsers.getByRole("link", { name: "Sign in again" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Confirm it’s you");
  await page.getByLabel("Password", { exact: true }).fill(owner.password);
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page).toHaveURL(/\/settings\/alerts$/);
  await browsers.getByRole("button", { name: "Turn on alerts in this browser" }).click();
  await isListed(page);

  await signedInBefore(owner, 20);
  const device = () => db.pushSubscription.findFirst({ where: { ownerId: owner.ownerId } });
  const before = await device();
  const now = service.browser().subscription;
  const old = await page.evaluate(async () =>
    (await (await navigator.serviceWorker.ready).pushManager.getSubscription())?.toJSON(),
  );
  const [worker_] = page.context().serviceWorkers();
  await worker_?.evaluate(
    ({ old, now: { endpoint, ...keys } }) =>
      new Promise<void>((resolve) => {
        const as = (json: unknown) => ({ toJSON: () => json });
        const waitUntil = (work: Promise<unknown>) => void work.finally(resolve).catch(() => {});
        const event = { oldSubscription: as(old), newSubscription: as({ endpoint, keys }), waitUntil };
        self.dispatchEvent(Object.assign(new Event("pushsubscriptionchange"), event));
      }),
    { old, now },
  );
  const after = await device();
  expect(after?.id).toBe(before?.id);
  expect(Buffer.from(after?.hash ?? [])).not.toEqual(Buffer.from(before?.hash ?? []));
});

test("offers browser alerts after the first answer until the owner declines the offer", {
  tag: "@more",
}, async ({ page, app }) => {
  await canSubscribe(page, service.browser());
  await app.ask({ question: "First?" });
  await app.ask({ question: "Second?" });
  await page.goto("/approvals");
  await expect(rowOf(page, "Second?")).toBeVisible();
  await settle(page);
  const offer = page.getByRole("region", { name: "Suggestion" });
  await expect(offer).toHaveCount(0);
  await page.getByRole("button", { name: "Yes" }).click();
  await expect(offer).toContainText("Get an alert when an app asks a question");
  await expectAccessible(page, "inbox with an offer");
  await page.setViewportSize({ width: 1280, height: 800 });
  await offer.getByRole("button", { name: "Not now" }).click();
  await expect(offer).toHaveCount(0);
  await page.reload();
  await settle(page);
  await expect(offer).toHaveCount(0);
});

test("offers no browser alerts after the owner postponed alerts in onboarding", async ({ page, owner, app }) => {
  await canSubscribe(page, service.browser());
  const { id } = await askOnboardingQuestion(owner);
  await answerApproval(owner, id, { kind: "option", optionId: "later" });
  await app.ask({ question: "First?" });
  await page.goto("/approvals");
  await settle(page);
  await page.getByRole("button", { name: "Yes" }).click();
  await expect.poll(() => page.evaluate(() => localStorage.getItem("countersign.offer.alerts"))).toBe("1");
  await expect(page.getByRole("region", { name: "Suggestion" })).toHaveCount(0);
});

test("offers browser alerts after the owner asks for more information in onboarding", async ({ page, owner, app }) => {
  await canSubscribe(page, service.browser());
  const { id } = await askOnboardingQuestion(owner);
  await answerApproval(owner, await app.ask({ question: "First?" }), { kind: "option", optionId: "yes" });
  await page.goto(`/approvals/${id}`);
  await settle(page);
  await page.waitForLoadState("networkidle");
  const offer = page.getByRole("region", { name: "Suggestion" });
  await expect(offer).toHaveCount(0);
  await page.getByRole("button", { name: "Tell me more" }).click();
  await expect(offer).toContainText("Get an alert when an app asks");
});
