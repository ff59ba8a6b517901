import type { LinkedAccount } from "@/lib/integrations/accounts";
import type { Access, Bucket } from "@/lib/integrations/providers/access";
import type { StatusReason } from "@/lib/integrations/providers/provider";

/** Kinds of data, and what may be done with each, as one says it in a row: "Mail · read and send". */
export const kinds: Record<Bucket, string> = {
  identity: "Who you are",
  mail: "Mail",
  calendar: "Calendar",
  contacts: "Contacts",
  files: "Files",
  tasks: "Tasks",
};

export const bucketOf = (access: Access) => access.split(".")[0] as Bucket;

const verbOf = (access: Access) => (access.endsWith(".read") ? "read" : access === "mail.write" ? "send" : "change");

/** "read and send": what may be done with one kind, of all that may be done. Nothing where no verb is known. */
export const verbs = (bucket: Bucket, accesses: readonly Access[]): string =>
  accesses
    .filter((access) => bucketOf(access) === bucket)
    .map(verbOf)
    .join(" and ");

/** "Mail · read and send" */
export function kindWords(bucket: Bucket, accesses: readonly Access[]): string {
  const may = verbs(bucket, accesses);
  return may ? `${kinds[bucket]} · ${may}` : kinds[bucket];
}

/** The kinds that are among these accesses, each once, in their order. */
export const bucketsAmong = (accesses: readonly Access[]): Bucket[] => [...new Set(accesses.map(bucketOf))];

/** What each allows, in a sentence's beginning. */
export const accessSentences: Record<Access, string> = {
  "mail.read": "Read mail",
  "mail.write": "Send or change mail",
  "calendar.read": "See your calendar",
  "calendar.write": "Add and change events",
  "contacts.read": "See contacts",
  "contacts.write": "Add and change contacts",
  "files.read": "See files",
  "files.write": "Add and change files",
  "tasks.read": "See tasks",
  "tasks.write": "Add and change tasks",
};

/** "Read mail, add and change events" */
export const accessList = (accesses: readonly Access[]): string => {
  const [first, ...rest] = accesses.map((access) => accessSentences[access]);
  return [first, ...rest.map((it) => it.charAt(0).toLowerCase() + it.slice(1))].join(", ");
};

/** What the owner knows an account by. */
export const nameOf = ({ label, email }: Pick<LinkedAccount, "label" | "email">): string => label ?? email;

/** "Google"; an account at a mail server has no provider to speak of. */
export const providerWords = ({ kind, providerName }: Pick<LinkedAccount, "kind" | "providerName">): string =>
  kind === "mail" ? "its mail server" : providerName;

export const statusWords = {
  connected: { tone: "ok", word: "Connected" },
  needs_reauth: { tone: "warn", word: "Reconnect needed" },
  error: { tone: "neutral", word: "Temporarily unavailable" },
  disconnected: { tone: "neutral", word: "Removed" },
} as const;

const whys: Record<StatusReason, (provider: string) => string> = {
  invalid_grant: (it) => `What you granted is no longer accepted by ${it}: it was revoked there, or expired.`,
  revoked_at_provider: (it) => `Access was revoked at ${it}.`,
  refresh_exhausted: (it) => `The permission expired, and only you can renew it at ${it}.`,
  password_rejected: () => "Its mail server refused the password.",
  credential_unreadable: () => "What we stored to reach it can no longer be decrypted.",
  rate_limited: (it) => `We were asked to slow down by ${it}.`,
  provider_down: (it) => `There is no answer from ${it}.`,
  provider_misbehaves: (it) => `We do not understand the answers from ${it}.`,
  failing_too_long: (it) => `We could not get through to ${it} for more than four days.`,
  not_configured: (it) => `The connection to ${it} is no longer set up here.`,
  owner_disconnected: () => "You removed it.",
};

/** Why an account does not work, as one sentence; nothing for one that does, or that was removed. */
export function whyNot(account: Pick<LinkedAccount, "status" | "reason" | "kind" | "providerName">): string {
  const { status, reason } = account;
  if (!reason || status === "connected" || status === "disconnected") return "";
  return Object.hasOwn(whys, reason) ? whys[reason](providerWords(account)) : "";
}

/** What of an account a test of it has to know: no more goes to the browser for that. */
export const tested = ({ id, status, failing, checkedAt }: LinkedAccount) => ({
  id,
  status,
  failing,
  ...(checkedAt !== undefined && { checkedAt }),
});
