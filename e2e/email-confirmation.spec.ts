import { randomBytes } from "node:crypto";
import { db } from "@/lib/database/db";
import { anOwner } from "@/lib/testing/factories";
import { aMailbox } from "@/lib/testing/fake-mail-server";
import { startService } from "@/lib/testing/service-process";
import { expectAccessible } from "./axe-checks";
import { expect, test } from "./fixtures";

test("confirms an email address only after a button press on the link's page", { tag: "@more" }, async ({
  browser,
  request,
}) => {
  test.slow();
  const { DATABASE_URL = "", DATA_DIR = "", SECRET = "" } = process.env;
  const mailbox = await aMailbox();
  const mail = { SMTP_URL: mailbox.url, MAIL_FROM: "Countersign <yes@acme.example>" };
  const service = await startService({ DATABASE_URL, DATA_DIR, SECRET, SIGNUPS: "open", ...mail });
  const phone = { viewport: { width: 390, height: 800 }, hasTouch: true };
  const context = await browser.newContext({ ...phone, javaScriptEnabled: false, baseURL: service.url });
  const linkTo = async (email: string, at = 0) => {
    const found = () => mailbox.letters.filter(({ to }) => to.includes(email))[at]?.text ?? "";
    await expect.poll(found).toContain("/confirm-email?token=");
    return /http\S+\/confirm-email\?token=\S+/.exec(found())?.[0] ?? "";
  };
  try {
    // The first account already exists.
    await anOwner();
    const page = await context.newPage();
    const [email, next] = ["bea", "new"].map((name) => `${name}-${randomBytes(5).toString("hex")}@example.com`) as [
      string,
      string,
    ];
    await page.goto("/sign-up");
    await page.getByLabel("Your name").fill("Bea Kamau");
    await page.getByLabel("Email").fill(email);
    await page.getByLabel("Password").fill("four words in a row");
    await page.getByRole("button", { name: "Create your account" }).click();
    await expect(page).toHaveURL(/\/approvals\/apr_/);
    await page.goto("/settings");
    const account = page
      .locator("section")
      .filter({ has: page.getByRole("heading", { name: "Name and email", exact: true }) });
    await expect(account.getByText("Confirm your email")).toBeVisible();
    await account.getByRole("button", { name: "Send the link" }).click();
    await expect(account.getByText("Confirmation link sent. It expires after 24 hours.")).toBeVisible();

    const link = await linkTo(email, 1);
    expect(link.startsWith(`${service.url}/`)).toBe(true);
    // Mail scanners open links, sometimes more than once.
    for (let time = 0; time < 3; time++) {
      const reply = await request.get(link);
      expect(reply.status()).toBe(200);
      expect(reply.headers()["cache-control"]).toContain("no-store");
      expect(await reply.text()).toMatch(/<meta name="referrer" content="same-origin"/);
    }
    // Uses a signed-out browser.
    const elsewhere = await (await browser.newContext({ ...phone, javaScriptEnabled: false })).newPage();
    await elsewhere.goto(link);
    await expect(elsewhere.getByText(email)).toBeVisible();
    await elsewhere.getByRole("button", { name: "Confirm this email" }).click();
    await expect(elsewhere.getByRole("heading", { level: 1 })).toHaveText("Email confirmed");
    await elsewhere.goto(link);
    await expect(elsewhere.getByRole("heading", { level: 1 })).toHaveText("This link doesn’t work");
    await elsewhere.context().close();

    await page.goto("/settings");
    await expect(account.getByText("Confirm your email")).toBeHidden();
    await account.getByLabel("Email").fill(next);
    await account.getByRole("button", { name: "Save" }).click();
    await expect(account.getByText(`We sent a link to ${next}`)).toBeVisible();
    await expect(account.getByLabel("Email")).toHaveValue(email);
    await account.getByRole("button", { name: "Cancel the change" }).click();
    await expect(account.getByText("We sent a link to")).toBeHidden();
    await account.getByLabel("Email").fill(next);
    await account.getByRole("button", { name: "Save" }).click();
    await expect(account.getByText(`We sent a link to ${next}`)).toBeVisible();
    expect(await db.owner.count({ where: { email } })).toBe(1);

    // Uses a signed-in browser with scripts.
    const state = await context.storageState();
    const scripted = await browser.newContext({ ...phone, storageState: state, baseURL: service.url });
    const tab = await scripted.newPage();
    await tab.goto("/settings");
    await expect(tab.getByText(`We sent a link to ${next}`)).toBeVisible();
    await expectAccessible(tab, "an email that waits to be confirmed");
    await tab.goto(await linkTo(next, 1));
    await expectAccessible(tab, "confirming an email");
    await tab.getByRole("button", { name: "Confirm this email" }).click();
    await expect(tab.getByRole("heading", { level: 1 })).toHaveText("Email confirmed");
    await tab.getByRole("link", { name: "Go to Settings" }).click();
    await expect(tab.getByLabel("Email").first()).toHaveValue(next);
    await expect.poll(() => mailbox.letters.at(-1)).toMatchObject({ to: [email] });
    await scripted.close();
    for (const { text, headers } of mailbox.letters) expect(`${headers}${text}`).not.toContain("Bea Kamau");
    expect(service.output()).not.toContain("csn_ec_");
  } finally {
    await context.close();
    await service.stop();
    await mailbox.close();
  }
});
