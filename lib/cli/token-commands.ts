import { findClient } from "@/lib/apps/apps";
import { inEveryShard } from "@/lib/database/shards/marks";
import { AppError, notFound } from "@/lib/errors";
import { createPersonalToken, revokeToken } from "@/lib/grants/personal-tokens";
import type { NewPersonalToken } from "@/lib/grants/schema";
import { isSecret } from "@/lib/keys/secret-tokens";
import { isScope } from "@/lib/scopes";
import { type Command, day, noSuchApp, UsageError, unlessFound } from "./command";
import { ownerNamed } from "./owner-commands";

export const createTokenCommand: Command = {
  async run(given) {
    const [days = "", name, clientId] = [given.one("days"), given.one("name"), given.one("app") as string];
    if (!/^\d{1,4}$/.test(days)) throw new UsageError("--days must be a whole number.");
    const owner = await ownerNamed(given.one("owner"));
    if (!(await findClient(clientId))) throw noSuchApp(clientId);
    const made = await createPersonalToken(owner, {
      clientId,
      scopes: given.all("scope").filter(isScope),
      resource: given.one("for") as NewPersonalToken["resource"],
      days: Number(days),
      ...(name !== undefined && { name }),
    }).catch(unlessFound(`${owner.email} must first register the app ${clientId} or grant the app access.`));
    const { token, expiresAt, scopes } = made;
    return {
      json: { token, expiresAt, scopes, owner: made.owner },
      text: `token (shown only once)  ${token}\nscopes  ${scopes.join(", ")}\nexpires  ${day(expiresAt)}`,
    };
  },
};

export const revokeTokenCommand: Command = {
  async run(_given, [tokenOrId = ""]) {
    await revokeAnyToken(tokenOrId).catch(
      unlessFound('No token has this value or ID. Find token IDs with "grant list".'),
    );
    return { json: { revoked: true }, text: "Token revoked. Requests with this token are now rejected." };
  },
};

/** Revokes a token of any owner. Only the token itself names its owner, and its ID does not. */
async function revokeAnyToken(tokenOrId: string): Promise<void> {
  if (isSecret(tokenOrId, ["at", "pat"])) return revokeToken(null, tokenOrId);
  const found = await inEveryShard(() =>
    revokeToken(null, tokenOrId).then(
      () => true,
      (error) => {
        if (error instanceof AppError && error.status === 404) return false;
        throw error;
      },
    ),
  );
  if (!found.includes(true)) throw notFound();
}
