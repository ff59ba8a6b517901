import { readFileSync } from "node:fs";
import http from "node:http";
import https from "node:https";
import type { AddressInfo } from "node:net";
import { chromium } from "@playwright/test";
import { GET as relatedOrigins } from "@/app/.well-known/webauthn/route";
import { canonicalJson } from "@/lib/client/canonical-json";
import { verifySignedAnswer } from "@/lib/client/signed-answers";
import type { Resolution } from "@/lib/client/types";
import type { LensSignature } from "@/lib/lens/lens-messages";
import { lensPath } from "@/lib/testing/build-lens";
import { configure } from "@/lib/testing/change-settings";
import { payment, requestText, sampleRequest } from "@/lib/testing/sample-signing-request";
import { aCertificate } from "@/lib/testing/self-signed-certificate";
import { expect, serviceUrl, test } from "./fixtures";
import { launching } from "./launch-options";
import { type AskWindow, aPasskey, askLens, result } from "./lens-signing";

/** Serves the lens from an origin other than the service's, like a static web server. */
async function serveLens() {
  const server = http.createServer((_, res) => {
    res.setHeader("content-type", "text/html; charset=utf-8");
    res.end(readFileSync(lensPath));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const origin = `http://localhost:${(server.address() as AddressInfo).port}`;
  return { origin, close: () => server.close() };
}

test.afterEach(() => configure({ LENS_ORIGINS: undefined }));

const request = () => sampleRequest({ statement: { issuer: serviceUrl() } });

test("signs in a lens of another origin, which the signature names", async ({ page, owner: _ }) => {
  const lens = await serveLens();
  const { key, plugIn } = aPasskey();
  const asked = request();
  // The link loads no new document, so the headers of the first page apply.
  await page.goto("/activity");
  await page.getByRole("link", { name: "Approvals" }).first().click();
  await expect(page).toHaveURL(/\/approvals$/);
  const popup = await askLens(page, `${lens.origin}/lens.html`, requestText(asked), key);
  const device = await plugIn(popup);
  await expect(popup.getByRole("heading", { name: payment.question })).toBeVisible();
  await expect(popup.getByRole("main")).toContainText(`This lens comes from ${lens.origin}, not from the service.`);
  const sign = popup.getByRole("button", { name: "Sign with your passkey" });

  await test.step("ignores a later request, which could replace the one that the owner reads", async () => {
    const content = structuredClone(payment);
    content.facts[0] = { label: "Amount", value: "864.00 €" };
    const later = requestText(sampleRequest({ content, statement: { issuer: serviceUrl() } }));
    await popup.evaluate(() => window.addEventListener("message", () => (document.title = "received")));
    await page.evaluate((text) => {
      const { opened } = window as unknown as AskWindow;
      opened?.postMessage({ type: "countersign-signing-request", request: text }, "*");
    }, later);
    await expect(popup).toHaveTitle("received");
    await expect(popup.getByRole("main")).not.toContainText("864.00 €");
  });

  await test.step("explains a canceled signature, and allows another attempt", async () => {
    await device.verifies(false);
    await sign.click();
    await expect(popup.getByRole("alert")).toContainText("Nothing was signed.");
    await device.verifies(true);
  });
  await sign.click();
  await expect(popup.getByRole("main")).toContainText("Signed. You can close this page.");

  const { statement, response } = (await result(page)) as LensSignature;
  expect(statement).toBe(canonicalJson(asked.statement));
  const { authenticatorData, clientDataJSON, signature } = response.response;
  const [entry] = asked.statement.answers as [
    { approval: string; contentHash: string; values: Record<string, unknown> },
  ];
  const resolution: Resolution = {
    ...{ kind: "option", optionId: "pay", values: entry.values, resolvedBy: "owner", resolvedAt: Date.now() },
    signature: { statement, credentialId: response.id, authenticatorData, clientDataJSON, signature, synced: false },
  };
  const checks = {
    ...{ issuer: serviceUrl(), owner: String(asked.statement.owner), app: String(asked.statement.app) },
    ...{ approvalId: entry.approval, contentHash: entry.contentHash, keys: [key], acceptNewKeys: true as const },
  };
  expect((await verifySignedAnswer(resolution, { ...checks, origins: [lens.origin] })).yes("pay")).toBe(true);
  await expect(verifySignedAnswer(resolution, checks)).rejects.toThrow(/origin/);
  lens.close();
});

test("refuses a request that names another service than the page that opened the lens", async ({ page, owner: _ }) => {
  const lens = await serveLens();
  await page.goto("/approvals");
  const other = requestText(sampleRequest({ statement: { issuer: "https://bank.example" } }));
  const popup = await askLens(page, lens.origin, other, aPasskey().key);
  await expect(popup.getByRole("alert")).toContainText(`it came from a page of ${serviceUrl()}. Don’t sign.`);
  await expect(popup.getByRole("button", { name: "Sign with your passkey" })).toHaveCount(0);
  await popup.close();
  expect(await result(page)).toBe("The lens was closed before you signed.");
  lens.close();
});

test("explains how to sign if no page opened the lens", { tag: "@more" }, async ({ page }) => {
  const lens = await serveLens();
  await page.goto(lens.origin);
  await page.getByLabel("Signing request, or its link").fill(requestText(request()));
  await page.getByRole("button", { name: "Check the request" }).click();
  await expect(page.getByRole("main")).toContainText(
    `To sign here, open the lens from the signing page of ${serviceUrl()}.`,
  );
  lens.close();
});

test("signs at another host only if the service lists the lens", { tag: "@more" }, async () => {
  // Browsers read the list from the service's host, at the standard port.
  const listed = { origins: "" };
  const server = https.createServer(aCertificate("yes.test", "lens.test"), async (req, res) => {
    if (req.url === "/.well-known/webauthn") {
      configure({ LENS_ORIGINS: listed.origins || undefined });
      const reply = await relatedOrigins();
      res.writeHead(reply.status, { "content-type": "application/json" });
      return res.end(await reply.text());
    }
    res.writeHead(200, { "content-type": "text/html; charset=utf-8" });
    return res.end(req.headers.host === "lens.test" ? readFileSync(lensPath) : "<title>The service</title>");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const at = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const browser = await chromium.launch({
    ...launching(),
    args: [
      ...(launching().args ?? []).filter((each) => !each.startsWith("--host-resolver-rules")),
      `--host-resolver-rules=MAP yes.test:443 ${at}, MAP lens.test:443 ${at}`,
      "--ignore-certificate-errors",
    ],
  });
  const page = await browser.newPage();
  const { key, plugIn } = aPasskey("yes.test");
  const asked = sampleRequest({ statement: { issuer: "https://yes.test" } });
  const ask = async () => {
    await page.goto("https://yes.test/");
    const popup = await askLens(page, "https://lens.test/", requestText(asked), key);
    await plugIn(popup);
    await popup.getByRole("button", { name: "Sign with your passkey" }).click();
    return popup;
  };

  const refused = await ask();
  await expect(refused.getByRole("alert")).toContainText("Its operator must list the lens in LENS_ORIGINS.");
  await refused.close();
  listed.origins = "https://lens.test";
  const accepted = await ask();
  await expect(accepted.getByRole("main")).toContainText("Signed. You can close this page.");
  const { response } = (await result(page)) as LensSignature;
  const client = JSON.parse(Buffer.from(response.response.clientDataJSON, "base64url").toString());
  expect(client).toMatchObject({ type: "webauthn.get", origin: "https://lens.test", crossOrigin: false });
  await browser.close();
  server.close();
});
