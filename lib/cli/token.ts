import { findClient } from "@/lib/apps/apps";
import { createPersonalToken, revokeToken } from "@/lib/grants/tokens";
import { isScope, scopeNames } from "@/lib/scopes";
import { type Command, type CommandOptions, day, OperatorError, text, texts, UsageError, unlessFound } from "./command";
import { ownerNamed } from "./owner";

/** What a token is to open, as `--for` says. */
export function tokenFor(given: CommandOptions): "api" | "mcp" {
  const resource = given.one("for") ?? "api";
  if (resource !== "api" && resource !== "mcp") throw new UsageError("--for takes api or mcp.");
  return resource;
}

export const createTokenCommand: Command = {
  options: { owner: text, app: text, scope: texts, for: text, days: text, name: text },
  needs: ["owner", "app", "scope"],
  async run(given) {
    const unknown = given.all("scope").find((name) => !isScope(name));
    if (unknown !== undefined)
      throw new UsageError(`"${unknown}" is not a scope; use one of ${scopeNames.join(", ")}.`);
    const [days, name, clientId] = [given.one("days"), given.one("name"), given.one("app") as string];
    if (days !== undefined && !/^\d{1,4}$/.test(days)) throw new UsageError("--days takes a whole number.");
    const resource = tokenFor(given);
    const owner = await ownerNamed(given.one("owner"));
    if (!(await findClient(clientId))) throw new OperatorError(`No app has the client id ${clientId}.`);
    const made = await createPersonalToken(owner, {
      clientId,
      scopes: given.all("scope").filter(isScope),
      resource,
      ...(days !== undefined && { days: Number(days) }),
      ...(name !== undefined && { name }),
    }).catch(unlessFound(`${owner.email} neither registered the app ${clientId} nor let it in.`));
    const { token, expiresAt, scopes } = made;
    return {
      json: { token, expiresAt, scopes, owner: made.owner },
      text: `token, shown only now  ${token}\nfor ${scopes.join(", ")}, until ${day(expiresAt)}`,
    };
  },
};

export const revokeTokenCommand: Command = {
  words: 1,
  async run(_given, [tokenOrId = ""]) {
    await revokeToken(null, tokenOrId).catch(unlessFound("There is no such token."));
    return { json: { revoked: true }, text: "Revoked; its next call is refused." };
  },
};
