import * as webauthn from "@simplewebauthn/server";
import type { OwnerActor } from "@/lib/actor";
import { db } from "@/lib/database/db";
import { AppError } from "@/lib/errors";
import { ipPrefix } from "@/lib/net/ip-prefix";
import { recordFailedSignIn } from "../failed-sign-ins";
import { findPasskey } from "../find-accounts";
import { consumeAll } from "../rate-limiter";
import type { Entrance } from "../schema";
import type { SignInOrigin } from "../sign-in-limits";
import { acceptAssertion, checked } from "./assertions";
import { keepChallenge, party, timeout } from "./challenges";

/**
 * Returns the options for a sign-in with any passkey for this service or, if `owner` is given, with
 * one of the owner's. Allows 60 calls, and then one every 15 seconds, per session of the owner or
 * otherwise per address.
 * @throws {AppError} 429
 */
export async function askForPasskey(
  { address }: Pick<SignInOrigin, "address">,
  owner: (OwnerActor & { session: string }) | null = null,
): Promise<webauthn.PublicKeyCredentialRequestOptionsJSON> {
  const who = owner
    ? { kind: "passkey-session", what: owner.session }
    : { kind: "passkey-address", what: ipPrefix(address) };
  await consumeAll([{ ...who, pace: { burst: 60, seconds: 15 } }]);
  const allowCredentials = owner
    ? await db.passkey.findMany({ where: { ownerId: owner.ownerId }, select: { id: true, transports: true } })
    : [];
  const options = await webauthn.generateAuthenticationOptions({
    rpID: party().rpID,
    timeout,
    allowCredentials,
    userVerification: "required",
  });
  await keepChallenge(options.challenge, "sign_in", owner?.ownerId ?? null);
  return options;
}

/**
 * Returns the owner of the passkey that signed this response. Records a failed sign-in of the
 * passkey's owner if the check fails.
 * @param response the browser's response as JSON
 * @param owner the signed-in owner, if this sign-in confirms their identity; only their passkeys
 * are accepted
 * @throws {AppError} 401 if the response is invalid, the passkey is unknown, or its counter didn't
 * increase (a sign of a cloned passkey)
 */
export async function signInWithPasskey(
  response: string,
  { address }: Pick<SignInOrigin, "address">,
  owner: OwnerActor | null = null,
): Promise<Entrance> {
  const credential = await checked(async () => JSON.parse(response), refused);
  const known =
    typeof credential?.id === "string" && credential.id.length <= 1400
      ? await findPasskey(credential.id, owner?.ownerId ?? handleIn(credential))
      : null;
  if (!known || (owner && known.ownerId !== owner.ownerId)) {
    throw new AppError(401, "This passkey isn’t registered on this service. Sign in another way.");
  }
  const { owner: account, ...passkey } = known;
  try {
    const ownerId = owner?.ownerId ?? null;
    await acceptAssertion({ response: credential, passkey, purpose: "sign_in", ownerId }, refused);
    return { ownerId: passkey.ownerId, sessionVersion: account.sessionVersion };
  } catch (error) {
    const { email } = account;
    if (error instanceof AppError) recordFailedSignIn({ step: owner ? "again" : "passkey", email, address });
    throw error;
  }
}

/** Returns the owner's ID that a browser's response contains, if any. */
const handleIn = ({ response }: { response?: { userHandle?: unknown } }) =>
  response?.userHandle ? Buffer.from(String(response.userHandle), "base64url").toString() : undefined;

const refused = new AppError(401, "Couldn’t accept the passkey. Try again, or use your password.");
