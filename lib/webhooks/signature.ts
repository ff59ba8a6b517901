import { createHmac, randomBytes } from "node:crypto";

const prefix = "whsec_";

/**
 * Creates a new signing secret in the form that receivers get: 32 random bytes (Standard Webhooks
 * asks for 24 to 64).
 */
export const newSigningSecret = (): string => prefix + randomBytes(32).toString("base64");

/** The signed content. `id` identifies the event, and `timestamp` (epoch seconds) the attempt. */
export type Signed = { id: string; timestamp: number; body: string };

/**
 * Returns the `webhook-signature` header of Standard Webhooks 1.0: one signature per secret, so
 * that the previous secret and the new one both work during a rotation.
 */
export const signatures = (secrets: readonly string[], { id, timestamp, body }: Signed): string =>
  secrets
    .map((secret) => {
      const key = Buffer.from(secret.slice(prefix.length), "base64");
      return `v1,${createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64")}`;
    })
    .join(" ");
