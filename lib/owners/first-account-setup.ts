import { env } from "@/lib/config/env";
import { AppError, notFound } from "@/lib/errors";
import { acceptedKeys, constantTimeEqual } from "@/lib/keys/crypto";
import { newServiceSecret } from "@/lib/keys/secret-tokens";
import { anyOwner } from "./find-accounts";
import { createOwner, enterNewAccount } from "./owners";
import type { Entrance, NewOwner } from "./schema";

/**
 * Returns SETUP_TOKEN or, if it is not set, a token derived from SECRET. The derived token stays
 * the same after a restart, although it is not stored.
 */
const setupToken = () => setupTokens()[0] as string;

/** Returns the valid tokens: the token for new links first. */
function setupTokens(): string[] {
  const { setupToken } = env();
  return setupToken ? [setupToken] : acceptedKeys("setup-token").map((bytes) => newServiceSecret("su", bytes));
}

/**
 * Returns the link that the operator opens to create the first account. It is printed on the
 * terminal, but never logged.
 */
export const setupLink = (): string => `${env().publicUrl}/setup?token=${encodeURIComponent(setupToken())}`;

/** Whether the text is the setup link's token. */
export const isSetupToken = (text: string): boolean => setupTokens().some((token) => constantTimeEqual(text, token));

/**
 * Creates the first account.
 * @throws {AppError} 404 if an owner exists, 403 for a wrong token, 400 that names any other
 * problem
 */
export async function setUp(token: string, owner: NewOwner): Promise<Entrance> {
  if (await anyOwner()) throw notFound();
  if (!isSetupToken(token))
    throw new AppError(403, "This setup link isn’t valid. Copy the link again from the service’s output.");
  return enterNewAccount(await createOwner(owner, { first: true }));
}
