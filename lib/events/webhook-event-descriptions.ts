import { describes, type EventData, type EventDescription } from "./activity-schema";

const webhook = describes("apps", "registration");

/**
 * Sentences for events about webhooks. They contain only the host of an address, because the rest
 * may be a secret.
 */
export const webhookWords = {
  "webhook.added": webhook("you", ({ host }) => `You added a webhook for {app}${atHost(host)}`),
  "webhook.changed": webhook("you", changed),
  "webhook.secret_rotated": webhook(
    "you",
    ({ host }) => `You created a new secret for a webhook for {app}${atHost(host)}`,
  ),
  "webhook.removed": webhook("you", ({ host }) => `You removed a webhook for {app}${atHost(host)}`),
  "webhook.disabled": webhook(
    "service",
    ({ host, reason }) => `A webhook for {app}${atHost(host)} was turned off${why(reason)}`,
  ),
} satisfies Record<string, EventDescription>;

const atHost = (host: unknown) => (typeof host === "string" ? ` at ${host}` : "");

function changed({ host, state }: EventData): string {
  if (state === "on" || state === "off") return `You turned ${state} a webhook for {app}${atHost(host)}`;
  return `You changed a webhook for {app}${atHost(host)}`;
}

function why(reason: unknown): string {
  if (reason === "gone") return " because its endpoint is gone";
  if (reason === "failing") return " because its endpoint has failed for days";
  if (reason === "secret") return " because its secret can no longer be decrypted";
  return "";
}
