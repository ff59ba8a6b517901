import { describes, type EventDescription } from "./schema";

type Data = Record<string, unknown>;

const webhook = describes("apps", "registration");

/** What happens to webhooks, in words: of their addresses the host alone, since the rest may be a secret. */
export const webhookWords = {
  "webhook.added": webhook("you", ({ host }) => `You added a webhook to {app}${at(host)}`),
  "webhook.changed": webhook("you", changed),
  "webhook.secret_rotated": webhook("you", ({ host }) => `You created a new secret for a webhook of {app}${at(host)}`),
  "webhook.removed": webhook("you", ({ host }) => `You removed a webhook of {app}${at(host)}`),
  "webhook.disabled": webhook(
    "service",
    ({ host, reason }) => `A webhook of {app}${at(host)} was switched off${why(reason)}`,
  ),
} satisfies Record<string, EventDescription>;

const at = (host: unknown) => (typeof host === "string" ? ` at ${host}` : "");

function changed({ host, state }: Data): string {
  if (state === "on" || state === "off") return `You switched a webhook of {app}${at(host)} ${state}`;
  return `You changed a webhook of {app}${at(host)}`;
}

function why(reason: unknown): string {
  if (reason === "gone") return ": its receiver is gone";
  if (reason === "failing") return ": its receiver has failed for days";
  if (reason === "secret") return ": its secret cannot be read any more";
  return "";
}
