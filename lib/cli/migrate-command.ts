import { plural } from "@/lib/text/plural";
import type { Command } from "./command";
import { prepareStartup } from "./prepare-startup";
import { quietly } from "./progress.mjs";

export const migrateCommand: Command = {
  // No preparation, because this command prepares the database for the others.
  behind: "nothing",
  async run() {
    const { migrated, close } = await prepareStartup("schema", quietly);
    await close();
    const count = plural(migrated.length, { one: "# migration was", other: "# migrations were" });
    return {
      json: { applied: migrated },
      text:
        migrated.length === 0
          ? "The database is up to date."
          : `${count} applied:\n${migrated.map((name) => `  ${name}`).join("\n")}`,
    };
  },
};
