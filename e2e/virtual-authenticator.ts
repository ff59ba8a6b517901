import type { Page } from "@playwright/test";

/** Chromium's virtual authenticator, which stores passkeys and confirms the owner's presence. */
export async function plugInAuthenticator(page: Page) {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("WebAuthn.enable");
  const { authenticatorId } = await devtools.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return {
    /** Whether the owner verifies by fingerprint or PIN. */
    verifies: (isUserVerified: boolean) =>
      devtools.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified }),
    count: async () => (await devtools.send("WebAuthn.getCredentials", { authenticatorId })).credentials.length,
  };
}
