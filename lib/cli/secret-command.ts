import { resetEnv } from "@/lib/config/env";
import { readOrCreateSecret } from "@/lib/keys/secret-file";
import { type Command, OperatorError } from "./command";
import { replaceSecret, secretFile, secretFits } from "./secret-check";

export const replaceSecretCommand: Command = {
  behind: "any secret",
  async run(given) {
    const set = process.env.SECRET;
    const replaced = !(set && (await secretFits()));
    if (replaced && !given.has("yes"))
      throw new OperatorError(
        "This command permanently invalidates every session, token, client secret and recovery code. Afterward, owners must sign in again with their passwords or passkeys. Confirm with --yes.",
      );
    if (replaced) {
      process.env.SECRET = set || readOrCreateSecret(secretFile(), 48);
      resetEnv();
      await replaceSecret();
    }
    return {
      json: { replaced },
      text: replaced ? "The new secret is now in use." : "Nothing to replace. The service already uses this secret.",
    };
  },
};
