import { createInterface } from "node:readline";
import { makeResetLink } from "@/lib/owners/links";
import { createOwner, listOwners } from "@/lib/owners/owners";
import { type Command, day, flag, ownerNamed, table, text, UsageError } from "./command";

export const createOwnerCommand: Command = {
  usage: "--email EMAIL --name NAME --password-stdin",
  options: { email: text, name: text, "password-stdin": flag },
  needs: ["email", "name", "password-stdin"],
  async run(given) {
    const [email, name] = [given.one("email") as string, given.one("name") as string];
    const { ownerId } = await createOwner({ email, name, password: await firstLine() });
    return { json: { ownerId }, text: `${email} can now sign in (${ownerId}).` };
  },
};

export const listOwnersCommand: Command = {
  usage: "",
  options: {},
  async run() {
    const owners = await listOwners();
    return {
      json: { owners },
      text: table(owners.map(({ email, name, ownerId, createdAt }) => [email, name, ownerId, day(createdAt)])),
    };
  },
};

export const resetOwnerCommand: Command = {
  usage: "EMAIL",
  options: {},
  words: 1,
  async run(_given, [email]) {
    const owner = await ownerNamed(email);
    const link = await makeResetLink(owner);
    return {
      json: { ownerId: owner.ownerId, link },
      text: `Give this link to ${owner.email}. It works once, within an hour, and leads to a new password:\n${link}`,
    };
  },
};

/** The first line of what is piped in; never an argument, which other users of the machine could read. */
async function firstLine(): Promise<string> {
  for await (const line of createInterface({ input: process.stdin })) return line;
  throw new UsageError("No password was given on stdin.");
}
