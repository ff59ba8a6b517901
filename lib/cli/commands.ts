import { parseArgs } from "node:util";
import { type Command, type CommandOptions, flag, UsageError } from "./command";
import { quietly } from "./progress.mjs";
import { sentence } from "./sentence.mjs";

/** Each is read when it is called, since a script that asks need not wait for all that the others need. */
const commands: Record<string, () => Promise<Command>> = {
  "owner create": async () => (await import("./owner")).createOwnerCommand,
  "owner list": async () => (await import("./owner")).listOwnersCommand,
  "owner reset": async () => (await import("./owner")).resetOwnerCommand,
  "app create": async () => (await import("./app")).createAppCommand,
  "app list": async () => (await import("./app")).listAppsCommand,
  "token create": async () => (await import("./token")).createTokenCommand,
  "token revoke": async () => (await import("./token")).revokeTokenCommand,
  "grant list": async () => (await import("./grant")).listGrantsCommand,
  "webhook add": async () => (await import("./webhook")).addWebhookCommand,
  "webhook list": async () => (await import("./webhook")).listWebhooksCommand,
  "webhook rotate": async () => (await import("./webhook")).rotateWebhookCommand,
  "webhook remove": async () => (await import("./webhook")).removeWebhookCommand,
  "webhook test": async () => (await import("./webhook")).testWebhookCommand,
  "keys new": async () => (await import("./keys")).newKeyCommand,
  "keys rotate": async () => (await import("./keys")).rotateKeysCommand,
  "keys forget": async () => (await import("./keys")).forgetKeysCommand,
  "receipts rotate": async () => (await import("./receipts")).rotateReceiptsCommand,
  "secret replace": async () => (await import("./secret")).replaceSecretCommand,
  ask: async () => (await import("./ask")).askCommand,
  simulate: async () => (await import("./simulate")).simulateCommand,
};

/** How to call the commands whose names begin so: one, a few, or all of them. */
async function usage(words: readonly string[] = []): Promise<string> {
  const chosen = [words.slice(0, 2).join(" "), words[0] ?? "", ""].map((start) =>
    Object.entries(commands).filter(([name]) => start === "" || name === start || name.startsWith(`${start} `)),
  );
  const texts = chosen
    .find((some) => some.length > 0)!
    .map(async ([name, load]) => {
      const { about, usage = "" } = await load();
      return `\n  ${`${name} ${usage}`.trimEnd()}\n      ${about}`;
    });
  return [
    "Usage: npm run -s countersign -- COMMAND [--json]",
    "Commands use the service’s settings: give them the same DATA_DIR, PORT and DATABASE_URL as the service.",
    ...(await Promise.all(texts)),
    "",
  ].join("\n");
}

/** What a command leaves behind. `status`: 0 or the command's own, 1 when it could not be done, 2 when it was called wrongly. */
export type Obeyed = { out: string; err: string; status: number };

/** Do what is said on a command line. */
export async function obey(args: string[]): Promise<Obeyed> {
  if (args.includes("--help") || args.includes("-h"))
    return { out: await usage(args.filter((arg) => !arg.startsWith("-"))), err: "", status: 0 };
  try {
    const { command, given, words } = await understand(args);
    const ready = command.behind === "nothing" ? undefined : await begin(command.behind ?? "command");
    const outcome = await command.run(given, words).finally(ready?.close);
    const said = given.has("json") ? JSON.stringify(outcome.json) : outcome.text;
    return { out: ended(said), err: ended(outcome.aside ?? ""), status: outcome.status ?? 0 };
  } catch (error) {
    const err = `${sentence(error)}\n`;
    if (!(error instanceof UsageError)) return { out: "", err, status: 1 };
    return { out: "", err: `${err}\n${await usage(args)}`, status: 2 };
  }
}

const ended = (text: string) => (text === "" ? "" : `${text}\n`);

async function begin(behind: "command" | "repair" | "any secret") {
  const { makeReady } = await import("./ready");
  return makeReady(behind, quietly);
}

async function understand(args: string[]): Promise<{ command: Command; given: CommandOptions; words: string[] }> {
  const names = [args.slice(0, 2).join(" "), args[0] ?? ""];
  const name = names.find((it) => Object.hasOwn(commands, it)) ?? "";
  const command = await commands[name]?.();
  if (!command)
    throw new UsageError(args.length === 0 ? "No command was given." : `There is no command "${names[0]}".`);
  const { values, positionals } = parse(args.slice(name.split(" ").length), command);
  const given: CommandOptions = {
    one: (option) => [values[option]].flat().findLast((value) => typeof value === "string"),
    all: (option) => [values[option] ?? []].flat().filter((value) => typeof value === "string"),
    has: (option) => values[option] !== undefined,
  };
  const missing = command.needs?.find((option) => !given.has(option));
  if (missing) throw new UsageError(`--${missing} is missing.`);
  if (positionals.length !== (command.words ?? 0)) throw new UsageError(`Wrong arguments for "${name}".`);
  return { command, given, words: positionals };
}

function parse(args: string[], { options }: Command) {
  try {
    const { values, positionals } = parseArgs({ args, options: { ...options, json: flag }, allowPositionals: true });
    return { values: values as Partial<Record<string, string | boolean | (string | boolean)[]>>, positionals };
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}
