import { once } from "node:events";
import { createReadStream, existsSync } from "node:fs";
import { createInterface } from "node:readline";
import { isOwnerInDirectory } from "@/lib/database/shards/each-shard";
import { inHomeOf, inService } from "@/lib/database/shards/marks";
import { OwnerFileError } from "@/lib/owner-data/owner-file/file-header";
import { type ImportedOwner, readFileHeader, readOwnerFile } from "@/lib/owner-data/owner-file/read-owner-file";
import { writeOwnerFile } from "@/lib/owner-data/owner-file/write-owner-file";
import { plural } from "@/lib/text/plural";
import { type Command, fileNamed, OperatorError } from "../command";
import { ownerNamed } from "../owner-commands";

export const exportOwnerCommand: Command = {
  async run(_given, [email]) {
    const owner = await ownerNamed(email);
    await inHomeOf(owner.ownerId, async () => {
      for await (const text of writeOwnerFile(owner))
        if (!process.stdout.write(text)) await once(process.stdout, "drain");
    });
    return {
      json: {},
      text: "",
      isWritten: true,
      aside: `Exported ${owner.email}. The file contains private data, and hashes of the password and of tokens. Make the file readable only for you (chmod 600), and delete the file after the import.`,
    };
  },
};

export const importOwnerCommand: Command = {
  async run(_given, [path = ""]) {
    const file = fileNamed(path);
    if (!existsSync(file)) throw new OperatorError(`The file ${path} does not exist.`);
    const lines = () => linesOf(file);
    try {
      const { ownerId, email } = await readFileHeader(lines);
      if (!isOwnerInDirectory(ownerId))
        throw new OperatorError(
          `The home of ${email} is on another shard than main. Import owners before you move homes to other shards.`,
        );
      const imported = await inService(() => readOwnerFile(lines));
      return { json: { ...imported }, text: textOf(imported), ...asideOf(imported) };
    } catch (error) {
      throw error instanceof OwnerFileError ? new OperatorError(error.message) : error;
    }
  },
};

async function* linesOf(file: string): AsyncGenerator<string> {
  const input = createReadStream(file);
  try {
    yield* createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY });
  } finally {
    input.destroy();
  }
}

function textOf({ email, rows }: ImportedOwner): string {
  const count = (...tables: string[]) => tables.reduce((sum, table) => sum + (rows[table] ?? 0), 0);
  return `Imported ${email} with ${plural(count("approvalsWaiting", "approvalsAnswered"), { one: "# question", other: "# questions" })}, ${plural(count("notifications"), { one: "# notification", other: "# notifications" })} and ${plural(count("registeredApps"), { one: "# registered app", other: "# registered apps" })}.`;
}

function asideOf({ skippedApps, formerUrl }: ImportedOwner): { aside?: string } {
  const names = skippedApps.map(({ name, clientId }) => `${name} (${clientId})`).join(", ");
  const notes = [
    names &&
      `Skipped the permissions of these apps, because this service does not have the owners who registered the apps: ${names}. The owner can connect the apps again after their owners have been imported.`,
    formerUrl &&
      `The file is from ${formerUrl}. With another PUBLIC_URL, the owner's passkeys and the receipts that apps have stored do not work.`,
  ].filter((it) => it);
  return notes.length > 0 ? { aside: notes.join("\n") } : {};
}
