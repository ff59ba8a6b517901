import { createInterface } from "node:readline";
import type { OwnerActor } from "@/lib/actor";
import { env } from "@/lib/config/env";
import { everyApp, freeze } from "@/lib/freeze/freeze";
import { findOwnerByEmail, listOwners } from "@/lib/owners/find-accounts";
import { createOwner } from "@/lib/owners/owners";
import { makeResetLink } from "@/lib/owners/sign-in-links";
import { type Command, type CommandOptions, day, OperatorError, table, UsageError } from "./command";

export const createOwnerCommand: Command = {
  async run(given) {
    const [email, name] = [given.one("email") as string, given.one("name") as string];
    const { ownerId } = await createOwner({ email, name, password: await firstLine() }, { confirmed: true });
    return { json: { ownerId }, text: `${email} can now sign in. The owner's ID is ${ownerId}.` };
  },
};

export const listOwnersCommand: Command = {
  async run() {
    const owners = await listOwners();
    return {
      json: { owners },
      text: table(owners.map(({ email, name, ownerId, createdAt }) => [email, name, ownerId, day(createdAt)])),
    };
  },
};

export const resetOwnerCommand: Command = {
  async run(_given, [email]) {
    const owner = await ownerNamed(email);
    const link = await makeResetLink(owner);
    return {
      json: { ownerId: owner.ownerId, link },
      text: `${link}\n\nGive this link to ${owner.email}, who can then set a new password. The link works once and expires after an hour.`,
    };
  },
};

export const freezeOwnerCommand: Command = {
  async run(_given, [email]) {
    const owner = await ownerNamed(email);
    await freeze(owner, { appId: everyApp, by: "operator" });
    return {
      json: { ownerId: owner.ownerId, frozen: true },
      text: `All apps of ${owner.email} are frozen. To unfreeze them, the owner opens ${env().publicUrl}/frozen.`,
    };
  },
};

/**
 * Reads the password from the first line of stdin. A command-line argument would be visible to
 * other users of the computer.
 * @throws {UsageError} if stdin is empty
 */
async function firstLine(): Promise<string> {
  for await (const line of createInterface({ input: process.stdin })) return line;
  throw new UsageError("stdin has no password. Write the password on the first line of stdin.");
}

/**
 * Returns the owner with this email address.
 * @throws {OperatorError} if there is none
 */
export async function ownerNamed(email: string | undefined): Promise<OwnerActor & { email: string }> {
  const owner = await findOwnerByEmail(email ?? "");
  if (owner) return { kind: "owner", ownerId: owner.ownerId, email: owner.email };
  if (email && /^[A-Z_]*E-?MAIL[A-Z_]*$/.test(email))
    throw new OperatorError(`${email} is a placeholder. Replace ${email} with the owner's email address.`);
  const next =
    (await listOwners()).length === 0
      ? `This database has no owners. Run "owner create", or set DATA_DIR or DATABASE_URL to the service's value.`
      : 'To list the owners, run "owner list".';
  throw new OperatorError(`No owner has the email ${email}. ${next}`);
}

/**
 * Lists the records of every owner, or only of the owner given by `--owner`. Each line has its
 * owner's email address.
 */
export async function listedOf<T>(
  given: CommandOptions,
  list: (owner: OwnerActor) => Promise<T[]>,
): Promise<(T & { owner: string })[]> {
  const wanted = given.one("owner");
  const owners = wanted === undefined ? await listOwners() : [await ownerNamed(wanted)];
  const lists = owners.map(async ({ ownerId, email }) =>
    (await list({ kind: "owner", ownerId })).map((each) => ({ ...each, owner: email })),
  );
  return (await Promise.all(lists)).flat();
}
