import { randomBytes } from "node:crypto";
import { countUndecryptableChannels, removeUndecryptableChannels } from "@/lib/alerts/channels/undecryptable-channels";
import { clock } from "@/lib/clock";
import { readSettings } from "@/lib/config/env";
import {
  countUndecryptableCredentials,
  removeUndecryptableCredentials,
  type UndecryptableCredentials,
} from "@/lib/integrations/undecryptable-credentials";
import { deleteLostKeys } from "@/lib/keys/key-check";
import { rotateKeys } from "@/lib/keys/rotation";
import { joinWords } from "@/lib/text/join-words";
import { plural } from "@/lib/text/plural";
import { countUndecryptableSecrets, removeUndecryptableSecrets } from "@/lib/webhooks/undecryptable-secrets";
import { sealedRows } from "./all-encrypted-tables";
import { type Command, OperatorError } from "./command";

export const newKeyCommand: Command = {
  behind: "nothing",
  async run() {
    const taken = readSettings(process.env).INTEGRATION_KEYS;
    const name = freeName(new Date(clock.now()).toISOString().slice(0, 10), taken);
    const entry = `${name}:${randomBytes(32).toString("base64")}`;
    const then = taken ? "put this key before the others in INTEGRATION_KEYS" : "set INTEGRATION_KEYS to this key";
    return {
      json: { name, entry },
      text: `${entry}\n\nThis key is shown only once. Store it separately from the database's backups. If you lose the key, owners must reconnect accounts, create new webhook secrets and add alert channels again.\nOn every instance, ${then}. Then restart all instances. Finally, run "keys rotate".`,
    };
  },
};

/** Returns an unused name for a key: the date, with a number if that name is taken. */
function freeName(day: string, taken: ReadonlyMap<string, Buffer> = new Map()): string {
  let name = day;
  for (let number = 2; taken.has(name); number++) name = `${day}-${number}`;
  return name;
}

export const rotateKeysCommand: Command = {
  async run() {
    const done = await rotateKeys(sealedRows);
    const left =
      done.unreadable > 0
        ? `\nSkipped ${secrets(done.unreadable)} that no configured key can decrypt. To delete all such secrets, run "keys forget".`
        : "";
    const others = (readSettings(process.env).INTEGRATION_KEYS?.size ?? 0) > 1;
    const free = others && done.unreadable === 0 ? "\nYou can remove all other keys from INTEGRATION_KEYS." : "";
    return {
      json: { ...done },
      text: `Encrypted ${secrets(done.resealed)} with the new data key ${done.keyId}. The key "${done.wrappedBy}" protects the data key.${free}${left}`,
    };
  },
};

export const forgetKeysCommand: Command = {
  behind: "repair",
  async run(given) {
    const yes = given.has("yes");
    const webhooks = yes ? await removeUndecryptableSecrets() : await countUndecryptableSecrets();
    const channels = yes ? await removeUndecryptableChannels() : await countUndecryptableChannels();
    const lost = yes ? await removeUndecryptableCredentials() : await countUndecryptableCredentials();
    if (yes) await deleteLostKeys(sealedRows);
    const found = [
      { count: lost.accounts, name: ofOwners(lost), next: "reconnect linked accounts" },
      {
        count: webhooks,
        name: plural(webhooks, { one: "# webhook", other: "# webhooks" }),
        next: "create new webhook secrets",
      },
      {
        count: channels,
        name: plural(channels, { one: "# alert channel", other: "# alert channels" }),
        next: "add alert channels again",
      },
    ].filter(({ count }) => count > 0);
    const what = joinWords(found.map(({ name }) => name));
    if (what && !yes)
      throw new OperatorError(
        `This command destroys the secrets of ${what}. No configured key can decrypt these secrets. Afterward, the owners must ${joinWords(found.map(({ next }) => next))}. Confirm with --yes.`,
      );
    return {
      json: {
        forgotten: lost.accounts,
        owners: lost.owners,
        ...(webhooks > 0 && { webhooks }),
        ...(channels > 0 && { channels }),
      },
      text: what
        ? `Destroyed the secrets of ${what}.`
        : "Nothing to forget. The configured keys can decrypt all secrets.",
    };
  },
};

const secrets = (count: number) => plural(count, { one: "# secret", other: "# secrets" });
const accounts = (count: number) => plural(count, { one: "# linked account", other: "# linked accounts" });
const ofOwners = ({ accounts: count, owners }: UndecryptableCredentials) =>
  `${accounts(count)} (${plural(owners, { one: "# owner", other: "# owners" })})`;
