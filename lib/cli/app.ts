import { listApps, registerApp } from "@/lib/apps/apps";
import { type Command, flag, table, text, texts } from "./command";
import { listedOf, ownerNamed } from "./owner";

export const createAppCommand: Command = {
  usage: "--owner EMAIL --name NAME [--redirect-uri URI]… [--public]",
  options: { owner: text, name: text, "redirect-uri": texts, public: flag },
  needs: ["owner", "name"],
  async run(given) {
    const owner = await ownerNamed(given.one("owner"));
    const made = await registerApp(owner, {
      name: given.one("name") as string,
      redirectUris: given.all("redirect-uri"),
      public: given.has("public"),
    });
    const secret = made.clientSecret ? `\nclient secret, shown only now  ${made.clientSecret}` : "";
    return { json: made, text: `client id  ${made.clientId}${secret}` };
  },
};

export const listAppsCommand: Command = {
  usage: "[--owner EMAIL]",
  options: { owner: text },
  async run(given) {
    const apps = await listedOf(given, listApps);
    return {
      json: { apps },
      text: table(apps.map((app) => [app.clientId, app.name, app.owner, app.public ? "public" : "confidential"])),
    };
  },
};
