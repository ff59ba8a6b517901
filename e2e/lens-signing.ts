import { generateKeyPairSync, randomBytes } from "node:crypto";
import type { Page } from "@playwright/test";
import { build } from "esbuild";
import type { OwnerKey } from "@/lib/client/types";
import type { LensSignature } from "@/lib/lens/lens-messages";

export type AskWindow = typeof globalThis & {
  signing: typeof import("@/components/approvals/answer/sign/ask-lens");
  signed: Promise<LensSignature | string>;
  /** The lens's window. */
  opened: Window | null;
};

/** Loads the code of the signing sheet that opens a lens, and opens the lens with a request. */
export async function askLens(page: Page, lens: string, request: string, key: OwnerKey): Promise<Page> {
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

/** Returns the signature that the page got from the lens, or the message of its error. */
export const result = (page: Page) => page.evaluate(() => (window as unknown as AskWindow).signed);

/** Creates a passkey of the owner for the service's host. `plugIn` gives it to a page's device. */
export function aPasskey(rpId = "localhost") {
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
      ...{ credentialId: id.toString("base64"), isResidentCredential: true, rpId, signCount: 1 },
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
