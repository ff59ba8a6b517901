import * as webauthn from "@simplewebauthn/server";
import type { OwnerActor } from "@/lib/actor";
import { db } from "@/lib/database/db";
import { AppError } from "@/lib/errors";
import { consumeAttempt } from "../fixed-window-limiter";
import { acceptAssertion, checked } from "./assertions";
import { keepChallenge, party, timeout } from "./challenges";

/**
 * Returns the options for signing a challenge with one of the owner's passkeys, and stores the
 * challenge.
 * @param challenge 32 bytes in base64url
 * @throws {AppError} 409 if the owner has no passkey; 429
 */
export async function askToSign(
  { ownerId }: OwnerActor,
  challenge: string,
): Promise<webauthn.PublicKeyCredentialRequestOptionsJSON> {
  await consumeAttempt("passkey-answer", ownerId, { max: 300, seconds: 900 }, "Too many attempts. Try again later.");
  const allowCredentials = await db.passkey.findMany({ where: { ownerId }, select: { id: true, transports: true } });
  if (allowCredentials.length === 0)
    throw new AppError(409, "You have no passkey. Add one in Settings › Security, then answer.");
  const options = await webauthn.generateAuthenticationOptions({
    rpID: party().rpID,
    timeout,
    challenge: new Uint8Array(Buffer.from(challenge, "base64url")),
    allowCredentials,
    userVerification: "required",
  });
  await keepChallenge(challenge, "answer", ownerId);
  return options;
}

/** The parts of an assertion that prove its signature, in base64url, and whether its passkey syncs. */
export type PasskeySignature = {
  credentialId: string;
  authenticatorData: string;
  clientDataJSON: string;
  signature: string;
  synced: boolean;
};

/**
 * Verifies that one of the owner's passkeys signed the challenge, and consumes the challenge.
 * @param sent the browser's response
 * @param challenge the challenge from `askToSign`
 * @param origins the origins at which the owner may have signed
 * @param refusal the error for a response that fails any check
 */
export async function acceptSignature(
  { ownerId }: OwnerActor,
  sent: object,
  { challenge, origins }: { challenge: string; origins: string[] },
  refusal: AppError,
): Promise<PasskeySignature> {
  // The verification below rejects any other object.
  const response = sent as webauthn.AuthenticationResponseJSON;
  const passkey =
    typeof response.id === "string" && response.id.length <= 1400
      ? await db.passkey.findUnique({ where: { id: response.id, ownerId } })
      : null;
  if (!passkey) throw refusal;
  const { credentialDeviceType } = await acceptAssertion(
    { response, passkey, purpose: "answer", ownerId, challenge, origins },
    refusal,
  );
  const { authenticatorData, clientDataJSON, signature } = response.response;
  // A page of another site that embeds ours must not get a signature (WebAuthn, section 13.4.9).
  const { crossOrigin } = await checked(async () => JSON.parse(utf8(clientDataJSON)), refusal);
  if (crossOrigin === true) throw refusal;
  return {
    credentialId: passkey.id,
    authenticatorData: unpadded(authenticatorData),
    clientDataJSON: unpadded(clientDataJSON),
    signature: unpadded(signature),
    synced: credentialDeviceType === "multiDevice",
  };
}

const utf8 = (base64url: string) => Buffer.from(base64url, "base64url").toString();

/** Returns base64url without padding, whatever variant the browser sent. */
const unpadded = (base64url: string) => Buffer.from(base64url, "base64url").toString("base64url");
