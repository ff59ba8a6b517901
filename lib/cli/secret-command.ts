import { resealDevices } from "@/lib/alerts/reseal-devices";
import { env, readSettings, resetEnv } from "@/lib/config/env";
import { inEveryShard, inService } from "@/lib/database/shards/marks";
import { loadPlacement } from "@/lib/database/shards/placement/watch-placement";
import { rewrapDataKeys } from "@/lib/keys/data-keys";
import { readOrCreateSecret } from "@/lib/keys/secret-file";
import { resealReceiptKey } from "@/lib/receipts/receipt-keys";
import { plural } from "@/lib/text/plural";
import { type Command, OperatorError } from "./command";
import { knownSecret, overlapDays, recordRotation, replaceSecret, secretFile } from "./secret-check";

export const replaceSecretCommand: Command = {
  behind: "any secret",
  async run(given) {
    const set = process.env.SECRET;
    if (readSettings(process.env).SECRET_PREVIOUS)
      throw new OperatorError(
        'SECRET_PREVIOUS is set, so the service accepts both secrets. To replace the secret without invalidating anything, run "secret rotate". To invalidate everything, unset SECRET_PREVIOUS, and run this command again.',
      );
    const replaced = !(set && (await inService(knownSecret)) === "current");
    if (replaced && !given.has("yes"))
      throw new OperatorError(
        "This command permanently invalidates every session, token, client secret and recovery code. Afterward, owners must sign in again with their passwords or passkeys. Confirm with --yes.",
      );
    if (replaced) {
      process.env.SECRET = set || readOrCreateSecret(secretFile(), 48);
      resetEnv();
      await loadPlacement();
      await replaceSecret();
    }
    return {
      json: { replaced },
      text: replaced ? "The new secret is now in use." : "Nothing to replace. The service already uses this secret.",
    };
  },
};

const sum = (counts: number[]) => counts.reduce((total, count) => total + count, 0);

export const rotateSecretCommand: Command = {
  async run() {
    if (env().secretPrevious === undefined)
      throw new OperatorError(
        "SECRET_PREVIOUS is not set. On every instance, set SECRET to the new secret and SECRET_PREVIOUS to the former secret, and restart the instance. Then run this command again.",
      );
    const [dataKeys, receiptKey] = [await rewrapDataKeys(), await resealReceiptKey()];
    const browsers = sum(await inEveryShard(resealDevices));
    // This is the last step. If the command is interrupted, the database still depends on the former
    // secret, and the command can run again.
    const rotated = await recordRotation();
    const moved = [
      plural(dataKeys, { one: "# data key", other: "# data keys" }),
      plural(browsers, { one: "# browser subscription", other: "# browser subscriptions" }),
      receiptKey ? "the receipt key" : "no receipt key",
    ].join(", ");
    return {
      json: { rotated, dataKeys, browsers, receiptKey },
      text: `The database ${rotated ? "now" : "already"} depends on SECRET. Encrypted again: ${moved}.
${rotated ? `Sessions and links from before still need SECRET_PREVIOUS. Keep it for ${overlapDays} days, until all of these sessions have ended.` : 'To see whether you still need SECRET_PREVIOUS, run "doctor".'}`,
    };
  },
};
