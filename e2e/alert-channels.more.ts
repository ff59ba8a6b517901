import { addChannel, listChannels } from "@/lib/alerts/channels/channels";
import { signatureOf } from "@/lib/alerts/channels/slack-bot";
import { offerOf } from "@/lib/alerts/one-tap-answer";
import { db } from "@/lib/database/db";
import { changeSettings } from "@/lib/owners/settings";
import { someChatServices } from "@/lib/testing/fake-chat-services";
import { expectAccessible } from "./axe-checks";
import { expect, serviceUrl, test } from "./fixtures";
import { settle } from "./inbox-locators";
import { alive } from "./wait-for-hydration";

test("delivers questions to ntfy and Slack and records an answer from Slack", {
  tag: "@more",
}, async ({ page, app, owner }) => {
  test.slow();
  const chats = await someChatServices(Number(new URL(process.env.E2E_CHATS ?? "").port));
  const { url, token } = chats.channels.ntfy;
  await page.goto("/settings/alerts");
  await alive(page);
  const card = page.locator("#channels");
  await card.getByText("ntfy", { exact: true }).click();
  const form = card.locator("details[open]");
  await form.getByLabel("Topic address").fill(new URL(url).origin);
  await form.getByLabel("Access token").fill(token);
  await form.getByLabel("Name (optional)").fill("My phone");
  await form.getByRole("button", { name: "Add" }).click();
  await expect(form.getByRole("alert")).toContainText("Must be a topic URL");
  await form.getByLabel("Topic address").fill(url);
  await form.getByRole("button", { name: "Add" }).click();
  const channel = card.getByRole("list", { name: "Alert channels" }).getByRole("listitem");
  await expect(channel).toContainText("My phone");
  await expect(form.getByText("Channel added. Send a test")).toBeVisible();

  chats.failing.push({ status: 403 });
  await channel.getByRole("button", { name: "Send a test" }).click();
  await expect(channel.getByRole("alert")).toContainText("ntfy denied access to the topic");
  await channel.getByRole("button", { name: "Send a test" }).click();
  await expect(channel.getByText("Test alert sent. It should arrive in a moment.")).toBeVisible();
  await expect(channel).toContainText("Working");
  expect(chats.shown.map(({ title }) => title)).toEqual(["Alerts are working"]);
  expect(chats.asked.at(-1)?.headers.authorization).toBe(`Bearer ${token}`);
  await page.reload();
  await alive(page);
  expect(await page.content()).not.toContain(token);
  expect(await page.content()).not.toContain(new URL(url).pathname.slice(1));
  await channel.getByText("Rename").click();
  await channel.getByLabel("New name").fill("Old phone");
  await channel.getByRole("button", { name: "Save" }).click();
  await expect(channel).toContainText("Old phone");
  await card.getByText("Gotify", { exact: true }).click();
  await card.getByText("Slack bot", { exact: true }).click();
  const slackApp = await card.getByRole("link", { name: "create the prefilled Slack app" }).getAttribute("href");
  expect(slackApp).toMatch(/^https:\/\/api\.slack\.com\/apps\?new_app=1&manifest_json=/);
  await expectAccessible(page, "settings with an alert channel");
  await page.setViewportSize({ width: 1280, height: 800 });

  const id = await app.ask({ question: "Launch the missiles?" });
  await expect.poll(() => chats.shown.map(({ title }) => title)).toContain(`New question from ${app.name}`);
  const shown = chats.shown.find(({ title }) => title.startsWith("New question"));
  expect(shown?.link).toMatch(new RegExp(`/approvals/${id}$`));
  await page.goto(new URL(shown?.link ?? "").pathname);
  await settle(page);
  await page.getByRole("button", { name: "Yes" }).click();
  await expect.poll(() => chats.shown.map(({ title }) => title)).toEqual(["Alerts are working"]);

  await page.goto("/settings/alerts");
  await alive(page);
  await channel.getByRole("button", { name: "Remove" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
  await expect(card.getByText("Alerts stopped on Old phone")).toBeVisible();
  await expect(channel).toHaveCount(0);

  // Slack reports a button press. The service records the answer and updates the message.
  const bot = chats.channels["slack-bot"];
  const { id: target } = await addChannel(owner, "slack-bot", bot);
  await changeSettings({ ...owner, fresh: true }, { lockScreen: "full", answerFromAlerts: true });
  await db.alert.updateMany({ where: { ownerId: owner.ownerId }, data: { createdAt: new Date(0) } });
  const easy = await app.ask({ question: "Tidy the cache?", risk: "low" });
  const slack = () => chats.shown.find(({ at }) => at.startsWith("slack-bot"));
  await expect.poll(() => slack()?.title).toBe(`${app.name} asks · low risk`);
  const delivery = () => db.alertDelivery.findFirst({ where: { targetId: target, receipt: { not: null } } });
  await expect.poll(delivery).not.toBeNull();
  const { options, contentHash: seen } = await app.read(easy);
  const asked = { question: "Tidy the cache?", background: null, recommendation: null, options, seen };
  const ticket = offerOf(asked, { alertId: (await delivery())?.alertId ?? "", target })?.ticket;
  const payload = {
    type: "block_actions",
    team: { id: "T0123456" },
    user: { id: bot.channel },
    container: { message_ts: slack()?.id, channel_id: "D0123456" },
    actions: [{ action_id: "answer-0", block_id: target, value: ticket }],
  };
  const body = String(new URLSearchParams({ payload: JSON.stringify(payload) }));
  const timestamp = String(Math.floor(Date.now() / 1000));
  const press = async (signature: string) => {
    const headers = {
      "content-type": "application/x-www-form-urlencoded",
      "x-slack-request-timestamp": timestamp,
      "x-slack-signature": signature,
    };
    const reply = await fetch(`${serviceUrl()}/alerts/slack`, { method: "POST", headers, body });
    return [reply.status, await reply.text()];
  };
  expect(await press(`v0=${"0".repeat(64)}`)).toEqual([401, ""]);
  expect(await press(signatureOf(bot.signingSecret, { timestamp, body }))).toEqual([200, ""]);
  await expect.poll(async () => (await app.read(easy)).resolution?.resolvedBy).toBe("owner");
  await expect.poll(() => slack()?.title).toMatch(/^(Answered · Yes|.*: you answered “Yes”)$/);
  chats.close();
});

test.describe(() => {
  test.use({ javaScriptEnabled: false });

  test("adds and tests an alert channel when scripts are off", async ({ page, owner }) => {
    await page.goto("/settings/alerts");
    const card = page.locator("#channels");
    const form = card.locator("details[open]");
    await card.getByText("Signed webhook", { exact: true }).click();
    await form.getByLabel("Address").fill("https://10.0.0.1/alerts");
    await form.getByRole("button", { name: "Add" }).click();
    // The form with the error is open again.
    await expect(form).toContainText("Must be an address reachable from the internet");
    await form.getByLabel("Address").fill("https://localhost./alerts");
    await form.getByRole("button", { name: "Add" }).click();
    const secret = await page.getByText(/^whsec_/).innerText();
    await page.goto("/settings/alerts");
    expect(await page.content()).not.toContain(secret);
    await card.getByRole("button", { name: "Send a test" }).click();
    await expect(card.getByRole("alert")).toContainText("The address is not public");
    expect(await listChannels(owner)).toMatchObject([{ kind: "webhook", problem: "The address is not public" }]);
  });
});
