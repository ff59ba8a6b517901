import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { registerApp } from "@/lib/apps/apps";
import { anOwner } from "@/lib/testing/factories";
import { expect, serviceUrl, test } from "./fixtures";
import { randomLetters } from "./oauth-app";
import { boxOf } from "./oauth-owner";

/** Where the owner is sent for an app with this redirect URI. */
async function authorizeUrl(redirectUri: string) {
  const name = `Pilot ${randomLetters()}`;
  const { clientId } = await registerApp(await anOwner(), { name, redirectUris: [redirectUri], public: true });
  return `/oauth/authorize?${new URLSearchParams({
    response_type: "code",
    client_id: clientId,
    redirect_uri: redirectUri,
    scope: "approvals:read",
    code_challenge: "x".repeat(43),
    code_challenge_method: "S256",
  })}`;
}

test("redirects to an app's custom URL scheme after the owner connects the app", async ({ page, owner: _ }) => {
  await page.goto(await authorizeUrl("com.example.pilot:/callback"));
  await expect(page.getByText("com.example.pilot:", { exact: true })).toBeVisible();
  await expect(page.getByText(", on this computer")).toBeVisible();
  await boxOf(page, "approvals:read").check();
  const answer = page.waitForResponse((reply) => reply.url().endsWith("/decide"));
  await page.getByRole("button", { name: "Connect", exact: true }).click();
  const { redirectTo } = (await (await answer).json()) as { redirectTo: string };
  expect(redirectTo).toMatch(/^com\.example\.pilot:\/callback\?code=csn_ac_\w{49}&/);
});

test("blocks framing of the consent page by another site", async ({ page, owner: _ }) => {
  const target = new URL(await authorizeUrl("https://app.example/callback"), serviceUrl());
  const trap = createServer((_request, response) =>
    response.setHeader("content-type", "text/html").end(`<!doctype html><h1>Win</h1><iframe src="${target}"></iframe>`),
  );
  await new Promise<void>((resolve) => trap.listen(0, "127.0.0.1", resolve));
  const refused = page.waitForEvent("console", (message) => /frame-ancestors|X-Frame-Options/i.test(message.text()));
  await page.goto(`http://127.0.0.1:${(trap.address() as AddressInfo).port}/`);
  await refused;
  await expect(page.frameLocator("iframe").getByRole("button", { name: "Don’t connect" })).toHaveCount(0);
  trap.close();
});
