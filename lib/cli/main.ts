import { parseArgs } from "node:util";
import { createAppCommand, listAppsCommand } from "./app";
import { askCommand } from "./ask";
import { type Command, type CommandOptions, flag, UsageError } from "./command";
import { listGrantsCommand } from "./grant";
import { forgetKeysCommand, newKeyCommand, rotateKeysCommand } from "./keys";
import { createOwnerCommand, listOwnersCommand, resetOwnerCommand } from "./owner";
import { quietly } from "./progress.mjs";
import { makeReady } from "./ready";
import { rotateReceiptsCommand } from "./receipts";
import { replaceSecretCommand } from "./secret";
import { sentence } from "./sentence.mjs";
import { simulateCommand } from "./simulate";
import { createTokenCommand, revokeTokenCommand } from "./token";
import {
  addWebhookCommand,
  listWebhooksCommand,
  removeWebhookCommand,
  rotateWebhookCommand,
  testWebhookCommand,
} from "./webhook";

const commands: Record<string, Command> = {
  "owner create": createOwnerCommand,
  "owner list": listOwnersCommand,
  "owner reset": resetOwnerCommand,
  "app create": createAppCommand,
  "app list": listAppsCommand,
  "token create": createTokenCommand,
  "token revoke": revokeTokenCommand,
  "grant list": listGrantsCommand,
  "webhook add": addWebhookCommand,
  "webhook list": listWebhooksCommand,
  "webhook rotate": rotateWebhookCommand,
  "webhook remove": removeWebhookCommand,
  "webhook test": testWebhookCommand,
  "keys new": newKeyCommand,
  "keys rotate": rotateKeysCommand,
  "keys forget": forgetKeysCommand,
  "receipts rotate": rotateReceiptsCommand,
  "secret replace": replaceSecretCommand,
  ask: askCommand,
  simulate: simulateCommand,
};

const usage = [
  "Usage: npm run -s countersign -- COMMAND [--json]",
  ...Object.entries(commands).map(([name, command]) => `  ${name} ${command.usage}`.trimEnd()),
  "",
].join("\n");

/** @returns the exit status: 0 or the command's own, 1 when it could not be done, 2 when it was called wrongly */
async function main(args: string[]): Promise<number> {
  if (args.includes("--help") || args.includes("-h")) return say(usage, 0);
  try {
    const { command, given, words } = understand(args);
    const ready = command.behind === "nothing" ? undefined : await makeReady(command.behind ?? "command", quietly);
    const outcome = await command.run(given, words).finally(ready?.close);
    const said = given.has("json") ? JSON.stringify(outcome.json) : outcome.text;
    if (outcome.aside !== undefined) process.stderr.write(`${outcome.aside}\n`);
    return say(said === "" ? "" : `${said}\n`, outcome.status ?? 0);
  } catch (error) {
    process.stderr.write(`${sentence(error)}\n`);
    if (!(error instanceof UsageError)) return 1;
    process.stderr.write(`\n${usage}`);
    return 2;
  }
}

function understand(args: string[]): { command: Command; given: CommandOptions; words: string[] } {
  const names = [args.slice(0, 2).join(" "), args[0] ?? ""];
  const name = names.find((it) => Object.hasOwn(commands, it)) ?? "";
  const command = commands[name];
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

/** Ends only when all of it was taken, also by a slow pipe. */
const say = (text: string, status: number) =>
  new Promise<number>((resolve) => process.stdout.write(text, () => resolve(status)));

process.exit(await main(process.argv.slice(2)));
