import { listApps, registerApp } from "@/lib/apps/apps";
import { createPersonalToken } from "@/lib/grants/personal-tokens";
import type { NewPersonalToken } from "@/lib/grants/schema";
import { isScope, type Scope } from "@/lib/scopes";
import { type Command, table, UsageError } from "./command";
import { listedOf, ownerNamed } from "./owner-commands";

/** Default scopes for "app create --token": ask, and read the answers. */
const tokenScopes: readonly Scope[] = ["approvals:write", "approvals:read"];

export const createAppCommand: Command = {
  async run(given) {
    if (!given.has("token") && given.has("scope")) throw new UsageError("--scope requires --token.");
    const owner = await ownerNamed(given.one("owner"));
    const made = await registerApp(owner, {
      name: given.one("name") as string,
      redirectUris: given.all("redirect-uri"),
      public: given.has("public"),
    });
    if (given.has("token")) {
      const scopes = given.has("scope") ? given.all("scope").filter(isScope) : [...tokenScopes];
      const { token } = await createPersonalToken(owner, {
        clientId: made.clientId,
        scopes,
        resource: given.one("for") as NewPersonalToken["resource"],
      });
      return { json: { ...made, token }, text: token };
    }
    const secret = made.clientSecret ? `\nclient secret (shown only once)  ${made.clientSecret}` : "";
    return { json: made, text: `client ID  ${made.clientId}${secret}` };
  },
};

export const listAppsCommand: Command = {
  async run(given) {
    const apps = await listedOf(given, listApps);
    return {
      json: { apps },
      text: table(apps.map((app) => [app.clientId, app.name, app.owner, app.public ? "public" : "confidential"])),
    };
  },
};
