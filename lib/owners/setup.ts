import { env } from "@/lib/config/env";
import { AppError, notFound } from "@/lib/errors";
import { constantTimeEqual, key, newSecret } from "@/lib/keys/crypto";
import { anyOwner, createOwner, enterNewAccount } from "./owners";
import type { Entrance, NewOwner } from "./schema";

/** SETUP_TOKEN, or one derived from the service's secret, so that it survives restarts and need not be stored. */
const setupToken = () => env().setupToken ?? newSecret("su", Buffer.from(key("setup-token")));

/** Where the first owner makes their account. For the operator's eyes: it is shown on the terminal, not logged. */
export const setupLink = (): string => `${env().publicUrl}/setup?token=${encodeURIComponent(setupToken())}`;

/** Whether this is the token of the set-up link. */
export const isSetupToken = (text: string): boolean => constantTimeEqual(text, setupToken());

/**
 * Make the first account.
 * @throws {AppError} 404 once any owner exists, 403 with a wrong token, 400 naming what is wrong with the rest
 */
export async function setUp(token: string, owner: NewOwner): Promise<Entrance> {
  if (await anyOwner()) throw notFound();
  if (!isSetupToken(token))
    throw new AppError(403, "This set-up link is wrong. Copy it again from the service’s output");
  return enterNewAccount(await createOwner(owner, { first: true }));
}
