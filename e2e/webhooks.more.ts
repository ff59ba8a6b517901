import { randomBytes } from "node:crypto";
import type { Page } from "@playwright/test";
import { registerApp } from "@/lib/apps/apps";
import { anOwner } from "@/lib/testing/factories";
import { type Received, verified } from "@/lib/testing/webhook-receiver";
import { addEndpoint } from "@/lib/webhooks/endpoints";
import { expectAccessible } from "./axe-checks";
import { expect, test } from "./fixtures";
import { randomLetters } from "./oauth-app";
import { sent } from "./page-html";

/** This test's own URL at the shared receiver. */
const anAddress = () => `${process.env.E2E_HOOKS}/${randomBytes(6).toString("hex")}`;
const arrived = async (url: string) => (await (await fetch(url)).json()) as Received[];
const answering = (url: string, status: number) => fetch(url, { method: "PUT", body: String(status) });
const shown = async (page: Page, label: string) =>
  (await page.getByRole("figure", { name: label }).locator("pre").textContent()) ?? "";
/** Accessibility checks in every size and theme are slow. */
const rows = (page: Page) => page.locator("main [data-row]");

test("creates, tests, updates and deletes a webhook", { tag: "@more" }, async ({ page, app }) => {
  const url = anAddress();
  await page.goto(`/developer/${app.clientId}`);
  await page.getByRole("link", { name: "Add a webhook" }).click();
  await expect(page.getByLabel("Address", { exact: true })).toBeVisible();
  await expectAccessible(page, "adding a webhook");
  await page.getByLabel("Address", { exact: true }).fill("http://192.168.0.1/hooks");
  await page.getByRole("button", { name: "Add webhook" }).click();
  await expect(page.locator("[id$=-error]")).toHaveText("Must be an https address");
  await expect(page.getByLabel("Address", { exact: true })).toHaveValue("http://192.168.0.1/hooks");
  await page.getByLabel("Address", { exact: true }).fill(url);
  await page.getByLabel("Description").fill("Production");
  await page.getByRole("checkbox", { name: "approval.resolved" }).check();
  await page.getByRole("button", { name: "Add webhook" }).click();
  const secret = await shown(page, "Signing secret");
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);

  await page.getByRole("link", { name: "Go to the webhook’s page" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Webhook");
  expect(await page.content()).not.toContain(secret.slice(6));
  await page.getByRole("button", { name: "Send a test event" }).click();
  await expect(page.getByRole("status").filter({ hasText: "Delivered: 204" })).toBeVisible();
  await expect(rows(page)).toHaveCount(1);
  await expect(rows(page)).toContainText("Delivered");
  expect((await arrived(url)).map((message) => verified(secret, message).type)).toEqual(["webhook.test"]);

  const id = await app.ask({});
  await app.call(`/api/approvals/${id}/resolve`, { kind: "option", optionId: "yes" });
  await expect.poll(async () => (await arrived(url)).length).toBe(2);
  await page.getByRole("link", { name: "Refresh" }).click();
  await expect(rows(page)).toHaveCount(2);
  await rows(page).first().click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("approval.resolved");
  expect(JSON.parse(await shown(page, "Body"))).toMatchObject({ type: "approval.resolved", data: { id } });
  await expectAccessible(page, "a delivery");

  await page.goto(`/developer/${app.clientId}`);
  await expect(page.locator("#webhooks")).toContainText("Production");
  await page.locator("#webhooks [data-row]").click();
  await page.getByLabel("Address", { exact: true }).fill(`${url}/moved`);
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByText("Webhook saved")).toBeVisible();
  await page.getByRole("button", { name: "Create a new secret" }).click();
  const second = await shown(page, "Signing secret");
  await page.getByRole("button", { name: "Send a test event" }).click();
  await expect(page.getByRole("status").filter({ hasText: "Delivered: 204" })).toBeVisible();
  const [message] = await arrived(`${url}/moved`);
  for (const each of [secret, second]) expect(verified(each, message!).type).toBe("webhook.test");
  await page.reload();
  await expect(page.getByText("Two secrets are active")).toBeVisible();
  expect(await page.content()).not.toContain(second.slice(6));
  await expectAccessible(page, "a webhook");
  await page.getByRole("button", { name: "Remove webhook" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Remove webhook" }).click();
  await expect(page).toHaveURL(/\/developer\/app_\w+$/);
  await expect(page.locator("#webhooks [data-row]")).toHaveCount(0);
});

test("turns off a webhook after a 410 and resends a failed delivery", { tag: "@more" }, async ({
  page,
  app,
  owner,
}) => {
  const url = anAddress();
  await answering(url, 500);
  const { id } = await addEndpoint(owner, app.clientId, { url, types: ["grant.changed"] });
  await page.goto(`/developer/${app.clientId}/webhooks/${id}`);
  await page.getByRole("button", { name: "Send a test event" }).click();
  await expect(page.getByText("Couldn’t deliver the event. The server responded with 500")).toBeVisible();
  await expect(rows(page)).toContainText("Pending");
  await page.getByRole("link", { name: "Failed", exact: true }).click();
  await expect(page.getByText(/^No matching deliveries\./)).toBeVisible();
  await page.getByRole("link", { name: "Pending", exact: true }).click();
  await rows(page).click();
  await expect(page.getByText("Next attempt")).toBeVisible();
  await expect(page.getByText(/1\. The server responded with 500, after \d+ ms/)).toBeVisible();

  // After a 410, the webhook is off. This page and the notifications show it.
  await answering(url, 410);
  await page.goBack();
  await page.getByRole("button", { name: "Send a test event" }).click();
  await expect(page.getByText("Couldn’t deliver the event. The server responded with 410")).toBeVisible();
  await expect(page.getByText("The endpoint responded with 410 Gone")).toBeVisible();
  await expect(page.getByRole("switch", { name: "Send events" })).not.toBeChecked();
  await expectAccessible(page, "a webhook that is off");
  await page.goto("/notifications");
  const note = page.getByText(`A webhook for ${app.name} was turned off`);
  await expect(note.locator("visible=true").first()).toBeVisible();

  await answering(url, 204);
  await page.goto(`/developer/${app.clientId}/webhooks/${id}`);
  await page.getByRole("switch", { name: "Send events" }).click();
  await expect(page.getByRole("switch", { name: "Send events" })).toBeChecked();
  await page.getByRole("link", { name: "Failed", exact: true }).click();
  await expect(page).toHaveURL(/state=failed/);
  await rows(page).first().click();
  await page.getByRole("button", { name: "Resend" }).click();
  await expect(page.getByRole("status").filter({ hasText: "Delivered: 204" })).toBeVisible();
  const ids = (await arrived(url)).map(({ headers }) => headers["webhook-id"]);
  expect(ids.filter((each) => each === ids.at(-1))).toHaveLength(2);
});

test("responds with 404 for another owner's webhook", async ({ page, app, owner }) => {
  const { id } = await addEndpoint(owner, app.clientId, { url: anAddress() });
  const other = await anOwner();
  const { clientId } = await registerApp(other, { name: `Elsewhere ${randomLetters()}` });
  const theirs = await addEndpoint(other, clientId, { url: anAddress() });
  for (const path of [
    `/developer/${clientId}/webhooks/${theirs.id}`,
    `/developer/${app.clientId}/webhooks/${theirs.id}`,
    `/developer/${clientId}/webhooks/${id}`,
    `/developer/${clientId}/webhooks/new`,
    `/developer/${app.clientId}/webhooks/whk_x`,
  ]) {
    expect([path, (await sent(page, path)).status]).toEqual([path, 404]);
  }
});

test.describe(() => {
  test.use({ javaScriptEnabled: false });

  test("sends a test event to a new webhook when scripts are off", async ({ page, app }) => {
    await page.goto(`/developer/${app.clientId}/webhooks/new`);
    await page.getByLabel("Address", { exact: true }).fill(anAddress());
    await page.getByRole("button", { name: "Add webhook" }).click();
    expect(await shown(page, "Signing secret")).toMatch(/^whsec_/);
    await page.getByRole("link", { name: "Go to the webhook’s page" }).click();
    await page.getByRole("button", { name: "Send a test event" }).click();
    await expect(page.getByText("Delivered: 204")).toBeVisible();
  });
});
