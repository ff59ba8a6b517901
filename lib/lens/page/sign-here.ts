import { fromBase64Url, toBase64Url } from "@/lib/client/base64";
import { challengeBytes } from "@/lib/lens/fingerprint";
import type { LensCredential, LensSignature } from "@/lib/lens/lens-messages";
import type { CheckedRequest } from "@/lib/lens/signing-request";

/** Thrown if the owner's passkey gave no signature. The message is a sentence for the owner. */
export class NotSigned extends Error {}

/** Why this page can't sign for a service, as a sentence for the owner; undefined if it can try. */
export function cannotSign({ issuer }: Pick<CheckedRequest, "issuer">): string | undefined {
  if (!window.isSecureContext || !/^https?:$/.test(location.protocol))
    return "A saved lens can’t use your passkey. Compare the words, and sign on the signing page.";
  if (typeof navigator.credentials?.get !== "function" || typeof PublicKeyCredential !== "function")
    return "This browser can’t use passkeys here. Compare the words, and sign on the signing page.";
  if (!window.opener) return `To sign here, open the lens from the signing page of ${issuer}.`;
  return undefined;
}

/**
 * Asks the owner's passkey to sign the statement. The challenge is computed here, from the statement
 * that this page shows.
 * @throws {NotSigned}
 */
export async function signHere(request: CheckedRequest, credentials: LensCredential[]): Promise<LensSignature> {
  const allowCredentials = credentials.flatMap(({ id, transports }) => {
    const bytes = fromBase64Url(id);
    return bytes
      ? [{ id: bytes, type: "public-key" as const, transports: transports as AuthenticatorTransport[] }]
      : [];
  });
  const made = await navigator.credentials
    .get({
      publicKey: {
        challenge: await challengeBytes(request.statement),
        rpId: new URL(request.issuer).hostname,
        userVerification: "required",
        timeout: 300_000,
        allowCredentials,
      },
    })
    .catch((error: unknown) => {
      throw new NotSigned(reasonOf(error, request));
    });
  const { response, id } = made as PublicKeyCredential & { response: AuthenticatorAssertionResponse };
  const text = (bytes: ArrayBuffer) => toBase64Url(new Uint8Array(bytes));
  return {
    statement: request.statement,
    response: {
      ...{ id, rawId: id, type: "public-key", clientExtensionResults: {} },
      response: {
        authenticatorData: text(response.authenticatorData),
        clientDataJSON: text(response.clientDataJSON),
        signature: text(response.signature),
        ...(response.userHandle && { userHandle: text(response.userHandle) }),
      },
    },
  };
}

function reasonOf(error: unknown, { issuer }: CheckedRequest): string {
  const name = error instanceof Error ? error.name : "";
  if (name === "SecurityError")
    return `This browser doesn’t let a lens at ${location.origin} use passkeys of ${issuer}. Its operator must list the lens in LENS_ORIGINS. You can also compare the words, and sign on the signing page.`;
  if (name === "NotAllowedError")
    return "Nothing was signed. You canceled, the time ran out, or this device has no passkey for the service. Try again.";
  return "Nothing was signed, because the passkey didn’t respond. Try again.";
}
