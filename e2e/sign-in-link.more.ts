import { randomBytes } from "node:crypto";
import { anOwner } from "@/lib/testing/factories";
import { aMailbox } from "@/lib/testing/fake-mail-server";
import { startService } from "@/lib/testing/service-process";
import { expectAccessible } from "./axe-checks";
import { expect, test } from "./fixtures";
import { sent } from "./page-html";

test("creates an account and signs in an existing owner through an emailed link", { tag: "@more" }, async ({
  page,
  request,
}) => {
  test.slow();
  const { DATABASE_URL = "", DATA_DIR = "", SECRET = "" } = process.env;
  const mailbox = await aMailbox();
  const mail = { SMTP_URL: mailbox.url, MAIL_FROM: "Countersign <yes@acme.example>" };
  const service = await startService({ DATABASE_URL, DATA_DIR, SECRET, SIGNUPS: "open", ...mail });
  try {
    const { email } = await anOwner();
    const answer = "If this is the confirmed email of an account, we’ve sent a link.";
    await page.goto(`${service.url}/sign-in`);
    await page.getByRole("link", { name: "Create an account" }).click();
    await page.getByLabel("Your name").fill("Bea Kamau");
    await page.getByLabel("Email").fill(email);
    await page.getByLabel("Password").fill("four words in a row");
    await page.getByRole("button", { name: "Create your account" }).click();
    await expect(page.locator("[id$=-error]")).toHaveText("This email already has an account. Use another email.");
    await expect(page.getByLabel("Your name")).toHaveValue("Bea Kamau");
    const bea = `bea-${randomBytes(5).toString("hex")}@example.com`;
    await page.getByLabel("Email").fill(bea);
    await page.getByLabel("Password").fill("four words in a row");
    await page.getByRole("button", { name: "Create your account" }).click();
    await expect(page).toHaveURL(new RegExp(`^${service.url}/approvals/apr_`));
    await expect(
      page.getByRole("heading", { name: "Would you like an alert when an app asks a question?" }),
    ).toBeVisible();

    await page.context().clearCookies();
    await page.goto(`${service.url}/sign-in`);
    await page.getByRole("link", { name: "Email me a sign-in link" }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Sign in by email");
    await page.getByLabel("Email").fill("nobody-here@acme.example");
    await page.getByRole("button", { name: "Send me a link" }).click();
    await expect(page.getByText(answer)).toBeVisible();
    await page.reload();
    await page.getByLabel("Email").fill(email);
    await page.getByRole("button", { name: "Send me a link" }).click();
    await expect(page.getByText(answer)).toBeVisible();
    await expectAccessible(page, "asking for a link");

    // The confirmation link goes to the new account's email.
    await expect.poll(() => mailbox.letters.map(({ to }) => to)).toEqual([[bea], [email]]);
    expect(mailbox.letters[0]?.text).toContain(`${service.url}/confirm-email?token=`);
    const link = /http\S+\/sign-in\/link\/open\?token=\S+/.exec(mailbox.letters[1]?.text ?? "")?.[0] ?? "";
    expect(link.startsWith(`${service.url}/`)).toBe(true);
    // A mail scanner opens the link more than once.
    for (let time = 0; time < 3; time++) expect((await request.get(link)).status()).toBe(200);
    await page.goto(link);
    await expect(page.getByText(email)).toBeVisible();
    await expectAccessible(page, "a link that was opened");
    await page.getByRole("button", { name: "Sign in" }).click();
    await expect(page).toHaveURL(`${service.url}/approvals`);
    await page.goto(link);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("This link doesn’t work");
    await page.goto(`${service.url}/settings/security`);
    await page.getByRole("link", { name: "Lost your password? Set a new password" }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Choose a new password");
    expect(service.output()).not.toContain("csn_sl_");
  } finally {
    await service.stop();
    await mailbox.close();
  }
});

test("does not offer sign-in links if no mail server is set up", async ({ page }) => {
  const { html } = await sent(page, "/sign-in");
  expect([html.includes("Sign in"), html.includes("Email me a sign-in link")]).toEqual([true, false]);
  expect((await sent(page, "/sign-in/link")).status).toBe(404);
});
