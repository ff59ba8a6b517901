import { listApps, registerApp } from "@/lib/apps/apps";
import { listOwners } from "@/lib/owners/owners";
import { type Command, flag, ownerNamed, table, text, texts } from "./command";

export const createAppCommand: Command = {
  usage: "--owner EMAIL --name NAME [--redirect-uri URI]… [--public]",
  options: { owner: text, name: text, "redirect-uri": texts, public: flag },
  needs: ["owner", "name"],
  async run(given) {
    const made = await registerApp(await ownerNamed(given.one("owner")), {
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
    const wanted = given.one("owner");
    const owners = wanted === undefined ? await listOwners() : [await ownerNamed(wanted)];
    const lists = await Promise.all(
      owners.map(async ({ ownerId, email }) =>
        (await listApps({ kind: "owner", ownerId })).map((app) => ({ ...app, owner: email })),
      ),
    );
    const apps = lists.flat();
    return {
      json: { apps },
      text: table(apps.map((app) => [app.clientId, app.name, app.owner, app.public ? "public" : "confidential"])),
    };
  },
};
