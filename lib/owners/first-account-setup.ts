import { env } from "@/lib/config/env";
import { AppError, notFound } from "@/lib/errors";
import { constantTimeEqual, key } from "@/lib/keys/crypto";
import { newSecret } from "@/lib/keys/secret-tokens";
import { anyOwner, createOwner, enterNewAccount } from "./owners";
import type { Entrance, NewOwner } from "./schema";

/**
 * Returns SETUP_TOKEN or, if it is unset, a token derived from SECRET. The derived token is the
 * same after a restart, although it is not stored.
 */
const setupToken = () => env().setupToken ?? newSecret("su", Buffer.from(key("setup-token")));

/**
 * Returns the link with which the operator creates the first account. It is printed on the
 * terminal, and never logged.
 */
export const setupLink = (): string => `${env().publicUrl}/setup?token=${encodeURIComponent(setupToken())}`;

/** Whether this is the setup link's token. */
export const isSetupToken = (text: string): boolean => constantTimeEqual(text, setupToken());

/**
 * Creates the first account.
 * @throws {AppError} 404 if an owner exists, 403 for a wrong token, 400 naming any other problem
 */
export async function setUp(token: string, owner: NewOwner): Promise<Entrance> {
  if (await anyOwner()) throw notFound();
  if (!isSetupToken(token))
    throw new AppError(403, "This setup link isn’t valid. Copy the link again from the service’s output.");
  return enterNewAccount(await createOwner(owner, { first: true }));
}
