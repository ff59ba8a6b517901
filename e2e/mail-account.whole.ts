import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { db } from "@/lib/database/db";
import { findDovecot, noDovecot, startDovecot } from "@/lib/testing/dovecot";
import { aMailbox } from "@/lib/testing/fake-mail-server";
import { leaked } from "@/lib/testing/find-secrets-in-text";
import { startService } from "@/lib/testing/service-process";
import { expectAccessible } from "./axe-checks";
import { dumpDatabase } from "./dump-database";
import { expect, test } from "./fixtures";

/** A canary that must not appear anywhere else. */
const password = "canary-open-sesame-4711";
const leaks = (text: string) => leaked(text, [password]);

/** A service that trusts this computer's mail servers and may connect to them. */
async function aServiceBesideMail() {
  const { DATABASE_URL = "", DATA_DIR = "", SECRET = "" } = process.env;
  const folder = mkdtempSync(join(tmpdir(), "countersign-mail-"));
  const user = "robin@example.com";
  const dovecot = await startDovecot(["localhost"], { [user]: password });
  const certificate = { key: dovecot.key, cert: dovecot.ca };
  const sender = await aMailbox({ passwords: new Map([[user, password]]), certificate });
  const ca = join(folder, "ca.pem");
  writeFileSync(ca, dovecot.ca);
  const service = await startService({
    DATABASE_URL,
    DATA_DIR,
    SECRET,
    NODE_EXTRA_CA_CERTS: ca,
    ALLOW_PRIVATE_FETCH: `imaps://localhost:${dovecot.imapsPort} smtp://localhost:${sender.port}`,
  });
  const end = async () => {
    await service.stop();
    await sender.close();
    await dovecot.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  return { service, dovecot, sender, user, end };
}

const field = (page: Page, name: string) => page.locator(`[name=${name}]`);
const submit = (page: Page) => page.getByRole("button", { name: /Link this account|Reconnect/ }).click();
const kept = /\/integrations\/(int_\w+)\?linked=(new|again)/;

test("links and reconnects a mail account without leaking its app password", async ({ page, owner, browser }) => {
  test.skip(!findDovecot(), noDovecot);
  test.slow();
  const { service, dovecot, sender, user, end } = await aServiceBesideMail();
  const seen: string[] = [];
  const look = async (what: Page) => seen.push(await what.content());
  try {
    const address = `${service.url}/integrations/link/mail`;
    await page.goto(address);
    await expectAccessible(page, "the form for a mail account");

    // Advice about a provider appears while the owner types the address.
    await field(page, "email").fill("robin@outlook.com");
    await expect(page.getByRole("link", { name: "Link the account through its provider" })).toHaveAttribute(
      "href",
      "/integrations/link/microsoft",
    );
    await field(page, "email").fill("robin@icloud.com");
    const help = page.getByRole("main").getByRole("link", { name: /iCloud Mail app passwords/ });
    await expect(help.first()).toHaveAttribute("href", /^https:\/\/support\.apple\.com\//);

    await field(page, "email").fill(user);
    await field(page, "password").fill("not the password");
    await page.getByLabel("Read and send mail").check();
    await page.getByText("Server settings").click();
    await field(page, "imapHost").fill("LOCALHOST");
    await field(page, "imapPort").fill(String(dovecot.imapsPort));
    await field(page, "imapTls").selectOption("tls");
    await field(page, "smtpHost").fill("localhost");
    await field(page, "smtpPort").fill(String(sender.port));
    await field(page, "smtpTls").selectOption("starttls");
    await submit(page);
    await expect(page.getByText("The mail server rejected the address or password.").last()).toBeVisible();
    await expect(page.getByRole("alert").filter({ hasText: "rejected the address or password" })).toBeFocused();
    await expect(field(page, "password")).toHaveAttribute("aria-invalid", "true");
    await expect(field(page, "imapHost")).toHaveValue("LOCALHOST");
    await expectAccessible(page, "a mail account that was refused");
    await look(page);

    await field(page, "password").fill(password);
    await submit(page);
    await expect(page).toHaveURL(kept);
    const [, id = "", which] = kept.exec(page.url()) ?? [];
    expect(which).toBe("new");
    await expect(page.getByText(`Linked ${user}`)).toBeVisible();
    await look(page);
    expect(await db.integration.findUnique({ where: { id } })).toMatchObject({
      ownerId: owner.ownerId,
      provider: "mail",
      email: user,
      status: "connected",
      issuer: "localhost",
      subject: user,
      scopes: ["imap", "smtp"],
      buckets: ["identity", "mail"],
    });
    await page.goto(`${service.url}/integrations`);
    await expect(page.getByText(user).first()).toBeVisible();
    await look(page);

    // Reconnecting shows all saved values except the password, and keeps the account.
    await page.goto(`${address}?account=${id}`);
    await expect(field(page, "email")).toHaveValue(user);
    await expect(field(page, "smtpPort")).toHaveValue(String(sender.port));
    await expect(field(page, "password")).toHaveValue("");
    await look(page);

    // The sign-in is not fresh. Typed values are kept, except the password.
    await db.$executeRaw`UPDATE owner_session SET signed_in_at = now() - interval '1 hour' WHERE owner_id = ${owner.ownerId}`;
    await field(page, "password").fill(password);
    await page.getByText("Server settings").click();
    await field(page, "smtpHost").fill("LocalHost");
    await submit(page);
    await page.getByRole("alert").getByRole("link", { name: "Sign in again" }).click();
    await page.waitForURL(/\/sign-in\/again\?/);
    expect(leaks(decodeURIComponent(page.url()))).toEqual([]);
    await page.getByLabel("Password").fill(owner.password);
    await page.getByRole("button", { name: "Continue" }).click();
    await page.waitForURL(/\/integrations\/link\/mail\?typed=/);
    await expect(field(page, "smtpHost")).toHaveValue("LocalHost");
    await expect(field(page, "password")).toHaveValue("");
    await field(page, "password").fill(password);
    await submit(page);
    await expect(page).toHaveURL(`${service.url}/integrations/${id}?linked=again`);

    // The same works without JavaScript on a phone.
    const plain = await browser.newContext({
      javaScriptEnabled: false,
      viewport: { width: 390, height: 844 },
      storageState: await page.context().storageState(),
    });
    const phone = await plain.newPage();
    await phone.goto(address);
    await field(phone, "email").fill(user);
    await field(phone, "password").fill(password);
    await phone.getByLabel("Read and send mail").check();
    await phone.getByText("Server settings").click();
    await field(phone, "imapHost").fill("localhost");
    await field(phone, "imapPort").fill("22");
    await submit(phone);
    await expect(phone.getByText("Must be 993 or 143").last()).toBeVisible();
    await expect(field(phone, "email")).toHaveValue(user);
    await expect(phone.getByLabel("Read and send mail")).toBeChecked();
    await expect(field(phone, "password")).toHaveValue("");
    await look(phone);
    await field(phone, "imapPort").fill(String(dovecot.imapsPort));
    await field(phone, "imapTls").selectOption("tls");
    await phone.getByLabel("Read mail", { exact: false }).first().check();
    await field(phone, "password").fill(password);
    await submit(phone);
    await expect(phone).toHaveURL(`${service.url}/integrations/${id}?linked=again`);
    expect((await db.integration.findUniqueOrThrow({ where: { id } })).scopes).toEqual(["imap"]);
    await plain.close();

    // The next check detects a changed password. Entering the new password fixes the account.
    await dovecot.setPassword(user, `${password}, changed`);
    // A recently discovered server is not looked up again.
    await db.integration.update({ where: { id }, data: { checkedAt: new Date(Date.now() - 60_000) } });
    await page.goto(`${service.url}/integrations/${id}`);
    await page.getByRole("button", { name: "Test now" }).click();
    await expect(page.getByText("The mail server rejected the password.")).toBeVisible();
    await page.getByRole("link", { name: "Reconnect", exact: true }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(`Reconnect ${user}`);
    await field(page, "password").fill(`${password}, changed`);
    await submit(page);
    await expect(page).toHaveURL(`${service.url}/integrations/${id}?linked=again`);
    await expect(page.getByText(/^Working/).first()).toBeVisible();
    await look(page);

    for (const path of ["/integrations", `/integrations/${id}`, `/integrations/link/mail?account=${id}`, "/activity"]) {
      const reply = await page.request.get(`${service.url}${path}`, { headers: { RSC: "1" } });
      seen.push(await reply.text());
    }
    expect(leaks(seen.join("\n"))).toEqual([]);
    expect(seen.join("\n")).toContain(user);
    expect(leaks(await dumpDatabase())).toEqual([]);
    expect(leaks(service.output())).toEqual([]);
    expect(sender.letters).toEqual([]);
  } finally {
    await end();
  }
});
