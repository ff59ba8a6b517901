import { freePort } from "@/lib/net/free-port";
import { anOwner } from "@/lib/testing/factories";
import { readQrCode } from "@/lib/testing/read-qr-code";
import { startService } from "@/lib/testing/service-process";
import { expectAccessible } from "./axe-checks";
import { expect, test } from "./fixtures";

test("signs in on a phone with one scan of a QR code", { tag: "@more" }, async ({ page, browser, owner: _ }) => {
  test.slow();
  await page.goto("/settings");
  await page.getByRole("link", { name: "Set up your phone" }).click();
  await expect(page.getByText("Your phone can’t open this address")).toBeVisible();
  await expect(page.getByText("tailscale serve --bg")).toBeHidden();
  await page.getByText("For the operator").click();
  await expect(page.getByText("tailscale serve --bg")).toBeVisible();
  await expect(page.getByText("caddy reverse-proxy --from")).toBeVisible();
  await expect(page.getByRole("button", { name: "Show the QR code" })).toHaveCount(0);
  await expectAccessible(page, "a phone that cannot reach the service");

  const { DATABASE_URL = "", DATA_DIR = "", SECRET = "" } = process.env;
  const port = await freePort("0.0.0.0");
  const url = `http://countersign.test:${port}`;
  const reachable = { HOST: "0.0.0.0", PORT: String(port), PUBLIC_URL: url };
  const service = await startService({ DATABASE_URL, DATA_DIR, SECRET, ...reachable });
  try {
    const { email, password } = await anOwner();
    await page.goto(`${url}/sign-in?next=/phone`);
    await page.getByLabel("Email").fill(email);
    await page.getByLabel("Password", { exact: true }).fill(password);
    await page.getByRole("button", { name: "Sign in" }).click();
    await expect(page.getByText("Alerts need HTTPS")).toBeVisible();
    await page.getByRole("button", { name: "Show the QR code" }).click();
    const drawn = page.getByRole("img", { name: "QR code for the sign-in link" });
    const [box = "", ground, ink, path = ""] = await drawn.evaluate((svg) => {
      const [below, above] = [...svg.querySelectorAll("path")];
      const parts = [below?.getAttribute("fill"), above?.getAttribute("fill"), above?.getAttribute("d")];
      return [svg.getAttribute("viewBox"), ...parts].map((it) => it ?? "");
    });
    // The code must be readable in every theme.
    expect([ground, ink]).toEqual(["#fff", "#000"]);
    const link = readQrCode({ side: Number(box.split(" ").at(-1)), path });
    expect(link.startsWith(`${url}/sign-in/link/open?token=csn_hl_`)).toBe(true);
    await expectAccessible(page, "the code");

    const open = async () => {
      const context = await browser.newContext({
        userAgent: "Mozilla/5.0 (Linux; Android 16) Chrome/146.0.0.0 Mobile",
      });
      const opened = await context.newPage();
      await opened.goto(link);
      return opened;
    };
    const phone = await open();
    await expect(phone.getByText(email)).toBeVisible();
    await phone.getByRole("button", { name: "Sign in" }).click();
    await expect(phone).toHaveURL(`${url}/approvals`);
    await expect(page.getByText("Signed in on Chrome on Android")).toBeVisible();
    const another = await open();
    await expect(another.getByRole("heading", { level: 1 })).toHaveText("This link doesn’t work");
    await phone.goto(`${url}/activity`);
    await expect(phone.getByText("You signed in with a link for your phone").first()).toBeVisible();
    expect(service.output()).not.toContain("csn_hl_");
    await Promise.all([phone.context().close(), another.context().close()]);
  } finally {
    await service.stop();
  }
});
