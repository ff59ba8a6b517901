import { createHmac, randomBytes } from "node:crypto";

const prefix = "whsec_";

/**
 * Creates a signing secret of 32 random bytes, in the form that receivers get (Standard Webhooks
 * asks for 24 to 64 bytes).
 */
export const newSigningSecret = (): string => prefix + randomBytes(32).toString("base64");

/**
 * The content to sign. `id` identifies the event. `timestamp` is the time of the attempt, in epoch
 * seconds.
 */
export type Signed = { id: string; timestamp: number; body: string };

/**
 * Returns the `webhook-signature` header of Standard Webhooks 1.0. It has a signature for each
 * secret, so that both the previous and the new secret work during a rotation.
 */
export const signatures = (secrets: readonly string[], { id, timestamp, body }: Signed): string =>
  secrets
    .map((secret) => {
      const key = Buffer.from(secret.slice(prefix.length), "base64");
      return `v1,${createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64")}`;
    })
    .join(" ");
