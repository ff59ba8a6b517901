import { db } from "@/lib/database/db";
import { freePort } from "@/lib/net/free-port";
import { newDataDir, removeDataDir } from "@/lib/testing/data-dir";
import { startService } from "@/lib/testing/service-process";
import { expect, serviceUrl, test } from "./fixtures";
import { settle, theQuestion } from "./inbox-locators";
import { aQuestion } from "./oauth-app";

test("applies answers and revocations on every instance", {
  tag: "@more",
}, async ({ page, app }) => {
  const { DATABASE_URL = "", SECRET = "", PUBLIC_URL = "" } = process.env;
  const [dataDir, port] = [newDataDir(), await freePort()];
  const phone = await page.context().newPage();
  const copy = await startService({ DATABASE_URL, SECRET, PUBLIC_URL, DATA_DIR: dataDir, PORT: String(port) });
  try {
    const headers = { authorization: `Bearer ${app.token}`, "content-type": "application/json" };
    const ask = { method: "POST", headers, body: JSON.stringify(aQuestion) };
    const there = async (init: RequestInit = { headers }) =>
      (await fetch(`http://127.0.0.1:${port}/api/approvals`, init)).status;
    expect([await there(ask), await there()]).toEqual([201, 200]);

    // The owner decides on a phone.
    await phone.setViewportSize({ width: 390, height: 844 });
    const [{ id } = { id: "" }] = await db.approval.findMany({ where: { appId: app.clientId } });
    await phone.goto(Object.assign(new URL(`/approvals/${id}`, serviceUrl()), { port }).href);
    await settle(phone);
    await expect(phone.getByText("Reconnecting…")).toHaveCount(0);

    const waiting = fetch(`http://127.0.0.1:${port}/api/approvals?wait=60`, {
      method: "POST",
      headers,
      body: JSON.stringify({ ...aQuestion, question: "Do you hear me?" }),
    });
    const asked = async () => (await db.approval.findMany({ where: { appId: app.clientId } })).length;
    await expect.poll(asked).toBe(2);
    await page.goto("/approvals?sort=newest");
    await expect(theQuestion(page)).toHaveText("Do you hear me?");
    await settle(page);
    await page.getByRole("button", { name: /Yes/ }).first().click();
    const answered = await waiting;
    expect([answered.status, await answered.json()]).toEqual([
      201,
      expect.objectContaining({ resolution: expect.objectContaining({ optionId: "yes", resolvedBy: "owner" }) }),
    ]);

    await page.goto(`/apps/${app.clientId}`);
    await page.getByRole("switch", { name: "Ask you questions" }).click();
    await expect(page.getByText("can no longer ask you questions.")).toBeAttached();
    expect(await there(ask)).toBe(403);
    expect(await there()).toBe(200);

    await page.getByRole("button", { name: "Revoke access" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Revoke access" }).click();
    await expect(page).toHaveURL(/\/apps\?revoked=/);
    expect(await there()).toBe(401);

    copy.child.kill("SIGTERM");
    await expect(phone.getByText("Reconnecting…")).toBeVisible();
  } finally {
    await copy.stop();
    removeDataDir(dataDir);
  }
});
