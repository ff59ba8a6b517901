import { parseArgs } from "node:util";
import { type Command, type CommandOptions, flag, UsageError } from "./command";
import { quietly } from "./progress.mjs";
import { sentence } from "./sentence.mjs";

/** A command as the help tells of it. What does it is read when it is called: whoever asks for help waits for nothing. */
type Offered = {
  /** What it does, in a sentence or two. */
  about: string;
  /** What follows its name, as in `--owner EMAIL [--public]`. */
  usage?: string;
  load: () => Promise<Command>;
};

const commands: Record<string, Offered> = {
  "owner create": {
    about: "Create an account. The password is the first line of stdin.",
    usage: "--email EMAIL --name NAME --password-stdin",
    load: async () => (await import("./owner")).createOwnerCommand,
  },
  "owner list": {
    about: "List the accounts.",
    load: async () => (await import("./owner")).listOwnersCommand,
  },
  "owner reset": {
    about: "Print a link that lets an owner who is locked out choose a new password: once, within an hour.",
    usage: "EMAIL",
    load: async () => (await import("./owner")).resetOwnerCommand,
  },
  "app create": {
    about:
      "Register an app for an owner, as their Developer page does. With --token, create a token to ask and read answers with, and print it alone.",
    usage: "--owner EMAIL --name NAME [--redirect-uri URI]… [--public] [--token [--for api|mcp]]",
    load: async () => (await import("./app")).createAppCommand,
  },
  "app list": {
    about: "List the apps that owners registered.",
    usage: "[--owner EMAIL]",
    load: async () => (await import("./app")).listAppsCommand,
  },
  "token create": {
    about: "Create a personal token for an app, by default for the API and 90 days.",
    usage: "--owner EMAIL --app CLIENT_ID --scope SCOPE [--scope SCOPE]… [--for api|mcp] [--days DAYS] [--name NAME]",
    load: async () => (await import("./token")).createTokenCommand,
  },
  "token revoke": {
    about: "Revoke a token. Its next call is refused.",
    usage: "TOKEN_OR_ID",
    load: async () => (await import("./token")).revokeTokenCommand,
  },
  "grant list": {
    about: "List what owners allow which apps.",
    usage: "[--owner EMAIL]",
    load: async () => (await import("./grant")).listGrantsCommand,
  },
  "webhook add": {
    about: "Send an app’s events to an address. Prints the signing secret, once.",
    usage: "--owner EMAIL --app CLIENT_ID --url URL [--type TYPE]… [--description TEXT]",
    load: async () => (await import("./webhook")).addWebhookCommand,
  },
  "webhook list": {
    about: "List the webhooks and whether they work.",
    usage: "[--owner EMAIL]",
    load: async () => (await import("./webhook")).listWebhooksCommand,
  },
  "webhook rotate": {
    about: "Replace a signing secret. The old one also signs for a day.",
    usage: "WEBHOOK_ID",
    load: async () => (await import("./webhook")).rotateWebhookCommand,
  },
  "webhook remove": {
    about: "Remove a webhook.",
    usage: "WEBHOOK_ID",
    load: async () => (await import("./webhook")).removeWebhookCommand,
  },
  "webhook test": {
    about: "Send a test event and say how it went.",
    usage: "WEBHOOK_ID",
    load: async () => (await import("./webhook")).testWebhookCommand,
  },
  "keys new": {
    about: "Print a new entry for INTEGRATION_KEYS.",
    load: async () => (await import("./keys")).newKeyCommand,
  },
  "keys rotate": {
    about: "Encrypt everything anew under the first of INTEGRATION_KEYS, while the service runs.",
    load: async () => (await import("./keys")).rotateKeysCommand,
  },
  "keys forget": {
    about: "Count what no key opens any more. With --yes, destroy it and tell its owners.",
    usage: "[--yes]",
    load: async () => (await import("./keys")).forgetKeysCommand,
  },
  doctor: {
    about:
      "Look at settings, disk, database, secret, backlogs, mail and the running service, and say what to do. Exits 1 for a problem.",
    load: async () => (await import("./doctor/doctor")).doctorCommand,
  },
  status: {
    about: "The same as numbers, and those of the metrics where METRICS_PORT is set.",
    load: async () => (await import("./doctor/doctor")).statusCommand,
  },
  migrate: {
    about: "Bring the database up to date, as a step of its own before copies with MIGRATE=off start.",
    load: async () => (await import("./migrate")).migrateCommand,
  },
  "receipts rotate": {
    about: "Sign receipts with a new key. Earlier receipts stay valid.",
    load: async () => (await import("./receipts")).rotateReceiptsCommand,
  },
  "secret replace": {
    about: "Accept another SECRET: with --yes, every session, token and code ends.",
    usage: "[--yes]",
    load: async () => (await import("./secret")).replaceSecretCommand,
  },
  ask: {
    about:
      "Ask the owner of COUNTERSIGN_TOKEN, at COUNTERSIGN_URL. With --wait, print the answer; exits 0 only for an option, with --expect only for that one.",
    usage:
      "QUESTION --option ID [--option ID]… [--label ID=TEXT]… [--context FILE|-] [--recommend TEXT] [--risk low|normal|high] [--danger ID]… [--wait [--timeout SECONDS] [--expect ID]] [--key KEY]",
    load: async () => (await import("./ask")).askCommand,
  },
  simulate: {
    about: "Answer questions by rules in an owner’s place, to test without a person.",
    usage: "--owner EMAIL --app CLIENT_ID [--app CLIENT_ID]… --rules FILE [--allow-remote]",
    load: async () => (await import("./simulate")).simulateCommand,
  },
};

/** How to call the commands whose names begin so: one, a few, or all of them. */
export function usage(words: readonly string[] = []): string {
  const chosen = [words.slice(0, 2).join(" "), words[0] ?? "", ""].map((start) =>
    Object.entries(commands).filter(([name]) => start === "" || name === start || name.startsWith(`${start} `)),
  );
  const texts = chosen
    .find((some) => some.length > 0)!
    .map(([name, { about, usage = "" }]) => `\n  ${`${name} ${usage}`.trimEnd()}\n      ${about}`);
  return [
    "Usage: npm run -s countersign -- COMMAND [--json]",
    "Commands use the service’s settings: give them the same DATA_DIR, PORT and DATABASE_URL as the service.",
    ...texts,
    "",
  ].join("\n");
}

/** What a command leaves behind. `status`: 0 or the command's own, 1 when it could not be done, 2 when it was called wrongly. */
export type Obeyed = { out: string; err: string; status: number };

/** Do what is said on a command line. */
export async function obey(args: string[]): Promise<Obeyed> {
  if (args.includes("--help") || args.includes("-h"))
    return { out: usage(args.filter((arg) => !arg.startsWith("-"))), err: "", status: 0 };
  try {
    const { command, given, words } = await understand(args);
    const ready = command.behind === "nothing" ? undefined : await begin(command.behind ?? "command");
    const outcome = await command.run(given, words).finally(ready?.close);
    const said = given.has("json") ? JSON.stringify(outcome.json) : outcome.text;
    return { out: ended(said), err: ended(outcome.aside ?? ""), status: outcome.status ?? 0 };
  } catch (error) {
    const err = `${sentence(error)}\n`;
    if (!(error instanceof UsageError)) return { out: "", err, status: 1 };
    return { out: "", err: `${err}\n${usage(args)}`, status: 2 };
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
  const command = await commands[name]?.load();
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
