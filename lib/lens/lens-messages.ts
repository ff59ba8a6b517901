/*
 * The page that asks for a signature opens the lens in another window, possibly from another origin.
 * The lens announces that it is ready, receives the signing request, and returns the signature only
 * to the origin of the service that the statement names.
 */

/** A message between the page that asks for a signature and the lens. */
export type LensMessage =
  | { type: "countersign-lens-ready" }
  | { type: "countersign-signing-request"; request: string; credentials?: LensCredential[] }
  | { type: "countersign-signature"; signature: LensSignature };

/** A passkey of the owner, as in `allowCredentials` of WebAuthn. The ID is base64url. */
export type LensCredential = { id: string; transports?: string[] };

/**
 * A passkey's signature of a statement: the canonical statement, and the browser's response in the
 * JSON form of WebAuthn level 3.
 */
export type LensSignature = {
  statement: string;
  response: {
    id: string;
    rawId: string;
    type: "public-key";
    response: { authenticatorData: string; clientDataJSON: string; signature: string; userHandle?: string };
    clientExtensionResults: Record<string, never>;
  };
};

/** Returns a message's data if it is one of ours, otherwise undefined. */
export function lensMessage(data: unknown): LensMessage | undefined {
  const type = (data as { type?: unknown } | null)?.type;
  return typeof type === "string" && type.startsWith("countersign-") ? (data as LensMessage) : undefined;
}
