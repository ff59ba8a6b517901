import { env } from "@/lib/config/env";
import { describes, type EventData, type EventDescription } from "./activity-schema";

const account = describes("accounts", "integrations");

/**
 * Sentences that describe events about linked accounts. They never include an email address,
 * because the page looks up the account.
 */
export const accountWords = {
  "integration.linked": account("you", ({ provider, again }) => {
    const it = provider === undefined ? "an account" : `your ${accountOf(provider)}`;
    return again ? `You reconnected ${it}` : `You linked ${it}`;
  }),
  "integration.access_changed": account("service", accessChanged),
  "integration.renamed": account("you", ({ provider, label }) =>
    label === ""
      ? `You removed the name of your ${accountOf(provider)}`
      : `You renamed your ${accountOf(provider)}${typeof label === "string" ? ` to ${label}` : ""}`,
  ),
  "integration.status_changed": account(
    ({ from, to }) => (from === "disconnected" || to === "disconnected" ? "you" : "service"),
    statusChanged,
  ),
} satisfies Record<string, EventDescription>;

/** The names of the built-in providers. */
const providers: Record<string, string> = { google: "Google", microsoft: "Microsoft", github: "GitHub" };
const named = (id: string) => providers[id] ?? env().oidcProviders.find((it) => it.id === id)?.name ?? id;
/**
 * Returns an account's name, like "Google account" or "mail account", or "linked account" if the
 * provider is unknown.
 */
const accountOf = (provider: unknown) =>
  typeof provider === "string" ? `${provider === "mail" ? "mail" : named(provider)} account` : "linked account";

/** Reads event data that should be a list of strings. */
export const list = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((each): each is string => typeof each === "string") : [];

/** Describes a change of access. `added` and `removed` are lists of access, like "mail.read". */
function accessChanged({ provider, added, removed }: EventData): string {
  const changes = [
    ...list(added).map((access) => `${accessWords(access)} added`),
    ...list(removed).map((access) => `${accessWords(access)} removed`),
  ];
  return `Your ${accountOf(provider)} now shares different data${changes.length > 0 ? `: ${changes.join(", ")}` : ""}`;
}

/** Describes access, like "read access to mail". Access without a verb is returned unchanged. */
function accessWords(access: string): string {
  const [kind = "", verb] = access.split(".");
  if (verb === "read") return `read access to ${kind}`;
  if (verb === "write") return `write access to ${kind}`;
  return access;
}

function statusChanged({ provider, from, to, reason }: EventData): string {
  const its = `Your ${accountOf(provider)}`;
  if (to === "disconnected") return `You removed your ${accountOf(provider)}`;
  if (from === "disconnected") return `${its} is linked again`;
  if (to === "connected") return `${its} works again`;
  if (to === "error") return `${its} is temporarily unavailable${whyNot(reason)}`;
  if (to === "needs_reauth") return `${its} needs to be reconnected${whyNot(reason)}`;
  return `${its} changed`;
}

/** The reason why a linked account does not work, in a few words for each status reason. */
const whyNots: Record<string, string> = {
  invalid_grant: "the provider no longer accepts the credentials",
  revoked_at_provider: "access was revoked at the provider",
  refresh_exhausted: "the permission has expired",
  password_rejected: "the mail server rejected the password",
  credential_unreadable: "the service can no longer decrypt the stored credential",
  rate_limited: "the provider received too many requests",
  provider_down: "the provider didn’t respond",
  provider_misbehaves: "the provider sent an unreadable response",
  failing_too_long: "the account hasn’t worked for days",
  not_configured: "this service no longer supports the provider",
};
const whyNot = (reason: unknown) =>
  typeof reason === "string" && Object.hasOwn(whyNots, reason) ? `: ${whyNots[reason]}` : "";
