import { generateKeyPairSync, randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import http from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "@playwright/test";
import { build } from "esbuild";
import { canonicalJson } from "@/lib/client/canonical-json";
import { verifySignedAnswer } from "@/lib/client/signed-answers";
import type { OwnerKey, Resolution } from "@/lib/client/types";
import type { LensSignature } from "@/lib/lens/lens-messages";
import { lensPath } from "@/lib/testing/build-lens";
import { payment, requestText, sampleRequest } from "@/lib/testing/sample-signing-request";
import { expect, serviceUrl, test } from "./fixtures";

type AskWindow = typeof globalThis & {
  signing: typeof import("@/components/approvals/answer/sign/ask-lens");
  signed: Promise<LensSignature | string>;
  /** The lens's window. */
  opened: Window | null;
};

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

/** Loads the code of the signing sheet that opens a lens, and opens the lens with a request. */
async function askLens(page: Page, lens: string, request: string, key: OwnerKey): Promise<Page> {
  const { outputFiles } = await build({
    entryPoints: ["components/approvals/answer/sign/ask-lens.ts"],
    bundle: true,
    write: false,
    format: "iife",
    globalName: "signing",
  });
  await page.evaluate(`${outputFiles[0]?.text}; window.signing = signing`);
  const popup = page.waitForEvent("popup");
  await page.evaluate(
    ({ lens, request, id }) => {
      const its = window as unknown as AskWindow;
      const { open } = window;
      window.open = (...args) => (its.opened = open.apply(window, args));
      its.signed = its.signing
        .askLens({ lens, request, credentials: [{ id, transports: ["internal"] }] })
        .catch((error: Error) => error.message);
    },
    { lens, request, id: key.credentialId },
  );
  return popup;
}

const result = (page: Page) => page.evaluate(() => (window as unknown as AskWindow).signed);

/** Creates a passkey of the owner for the service's host. `plugIn` gives it to a page's device. */
function aPasskey() {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const id = randomBytes(16);
  const jwk = { ...publicKey.export({ format: "jwk" }), alg: "ES256" } as OwnerKey["publicKey"];
  const key: OwnerKey = { credentialId: id.toString("base64url"), publicKey: jwk, since: 0 };
  const plugIn = async (page: Page) => {
    const devtools = await page.context().newCDPSession(page);
    await devtools.send("WebAuthn.enable");
    const { authenticatorId } = await devtools.send("WebAuthn.addVirtualAuthenticator", {
      options: {
        ...{ protocol: "ctap2", transport: "internal", hasResidentKey: true, hasUserVerification: true },
        ...{ isUserVerified: true, automaticPresenceSimulation: true },
      },
    });
    const credential = {
      ...{ credentialId: id.toString("base64"), isResidentCredential: true, rpId: "localhost", signCount: 1 },
      ...{ userHandle: Buffer.from("owner").toString("base64") },
      privateKey: privateKey.export({ format: "der", type: "pkcs8" }).toString("base64"),
    };
    await devtools.send("WebAuthn.addCredential", { authenticatorId, credential });
    return {
      verifies: (isUserVerified: boolean) =>
        devtools.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified }),
    };
  };
  return { key, plugIn };
}

const request = () => sampleRequest({ statement: { issuer: serviceUrl() } });

test("signs in a lens of another origin, which the signature names", async ({ page, owner: _ }) => {
  const lens = await serveLens();
  const { key, plugIn } = aPasskey();
  const asked = request();
  await page.goto("/approvals");
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

test("explains how to sign if no page opened the lens", async ({ page }) => {
  const lens = await serveLens();
  await page.goto(lens.origin);
  await page.getByLabel("Signing request, or its link").fill(requestText(request()));
  await page.getByRole("button", { name: "Check the request" }).click();
  await expect(page.getByRole("main")).toContainText(
    `To sign here, open the lens from the signing page of ${serviceUrl()}.`,
  );
  lens.close();
});
