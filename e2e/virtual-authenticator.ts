import type { Page } from "@playwright/test";

type Credential = { credentialId: string; isResidentCredential: boolean; privateKey: string; signCount: number };

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
    async add(credentials: Credential[]) {
      for (const credential of credentials)
        await devtools.send("WebAuthn.addCredential", { authenticatorId, credential });
    },
    /** Whether the owner verifies by fingerprint or PIN. */
    verifies: (isUserVerified: boolean) =>
      devtools.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified }),
    /** Gives its passkeys to the device of another page, such as a popup. */
    async copyTo(other: Page): Promise<void> {
      const { credentials } = await devtools.send("WebAuthn.getCredentials", { authenticatorId });
      const there = await plugInAuthenticator(other);
      await there.add(credentials);
    },
    count: async () => (await devtools.send("WebAuthn.getCredentials", { authenticatorId })).credentials.length,
  };
}
