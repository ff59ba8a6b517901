import { listGrants } from "@/lib/grants/grants";
import { type Command, day, table } from "./command";
import { listedOf } from "./owner-commands";

export const listGrantsCommand: Command = {
  async run(given) {
    const grants = await listedOf(given, listGrants);
    const row = (grant: (typeof grants)[number]) => [
      ...[grant.owner, grant.name, grant.clientId, day(grant.grantedAt)],
      grant.scopes.map(({ scope }) => scope).join(" "),
      grant.tokens.map(({ id }) => id).join(" "),
    ];
    return { json: { grants }, text: table(grants.map(row)) };
  },
};
