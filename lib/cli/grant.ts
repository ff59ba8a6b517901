import { listGrants } from "@/lib/grants/grants";
import { listOwners } from "@/lib/owners/owners";
import { type Command, day, ownerNamed, table, text } from "./command";

export const listGrantsCommand: Command = {
  usage: "[--owner EMAIL]",
  options: { owner: text },
  async run(given) {
    const wanted = given.one("owner");
    const owners = wanted === undefined ? await listOwners() : [await ownerNamed(wanted)];
    const lists = await Promise.all(
      owners.map(async ({ ownerId, email }) =>
        (await listGrants({ kind: "owner", ownerId })).map((grant) => ({ ...grant, owner: email })),
      ),
    );
    const grants = lists.flat();
    const row = (grant: (typeof grants)[number]) => [
      ...[grant.owner, grant.name, grant.clientId, day(grant.grantedAt)],
      grant.scopes.map(({ scope }) => scope).join(" "),
      grant.tokens.map(({ id }) => id).join(" "),
    ];
    return { json: { grants }, text: table(grants.map(row)) };
  },
};
