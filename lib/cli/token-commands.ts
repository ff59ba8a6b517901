import { findClient } from "@/lib/apps/apps";
import { createPersonalToken, revokeToken } from "@/lib/grants/personal-tokens";
import type { NewPersonalToken } from "@/lib/grants/schema";
import { findTokenOwner } from "@/lib/grants/token-store";
import { isScope } from "@/lib/scopes";
import { type Command, day, noSuchApp, OperatorError, UsageError, unlessFound } from "./command";
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
    const ownerId = await findTokenOwner(tokenOrId);
    if (ownerId === undefined)
      throw new OperatorError('No token has this value or ID. Find token IDs with "grant list".');
    await revokeToken({ kind: "owner", ownerId }, tokenOrId);
    return { json: { revoked: true }, text: "Token revoked. Requests with this token are now rejected." };
  },
};
