import type { LinkedAccount } from "@/lib/integrations/accounts";
import type { Access, Bucket } from "@/lib/integrations/providers/access";
import type { StatusReason } from "@/lib/integrations/providers/provider";

/** Data types with their permitted verbs, as in "Mail · read and send". */
export const kinds: Record<Bucket, string> = {
  identity: "Profile",
  mail: "Mail",
  calendar: "Calendar",
  contacts: "Contacts",
  files: "Files",
  tasks: "Tasks",
};

export const bucketOf = (access: Access) => access.split(".")[0] as Bucket;

const verbOf = (access: Access) => (access.endsWith(".read") ? "read" : access === "mail.write" ? "send" : "change");

/** The verbs for one data type, like "read and send"; empty if none is known. */
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

/** The distinct data types of these accesses, in order. */
export const bucketsAmong = (accesses: readonly Access[]): Bucket[] => [...new Set(accesses.map(bucketOf))];

/** Each access as the start of a sentence. */
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

/** The owner's label for an account, or else its email. */
export const nameOf = ({ label, email }: Pick<LinkedAccount, "label" | "email">): string => label ?? email;

/** The provider's name, like "Google", or "its mail server" for a mail account. */
export const providerWords = ({ kind, providerName }: Pick<LinkedAccount, "kind" | "providerName">): string =>
  kind === "mail" ? "its mail server" : providerName;

export const statusWords = {
  connected: { tone: "neutral", word: "Connected" },
  needs_reauth: { tone: "warn", word: "Reconnect needed" },
  error: { tone: "neutral", word: "Temporarily unavailable" },
  disconnected: { tone: "neutral", word: "Removed" },
} as const;

const whys: Record<StatusReason, (provider: string) => string> = {
  invalid_grant: (it) => `The access you granted is no longer accepted by ${it}. It was revoked there, or it expired.`,
  revoked_at_provider: (it) => `Access was revoked at ${it}.`,
  refresh_exhausted: (it) => `The permission expired, and only you can renew it at ${it}.`,
  password_rejected: () => "Its mail server rejected the password.",
  credential_unreadable: () => "The stored credentials can no longer be decrypted.",
  rate_limited: (it) => `We’re being rate limited by ${it}.`,
  provider_down: (it) => `We can’t get a response from ${it}.`,
  provider_misbehaves: (it) => `We couldn’t read the response from ${it}.`,
  failing_too_long: (it) => `We haven’t been able to connect to ${it} for more than four days.`,
  not_configured: (it) => `The connection to ${it} is no longer set up here.`,
  owner_disconnected: () => "You removed this account.",
};

/** Why an account is not working, in one sentence; empty if it is working or removed. */
export function whyNot(account: Pick<LinkedAccount, "status" | "reason" | "kind" | "providerName">): string {
  const { status, reason } = account;
  if (!reason || status === "connected" || status === "disconnected") return "";
  return Object.hasOwn(whys, reason) ? whys[reason](providerWords(account)) : "";
}

/** The fields that a check needs, so that no others are sent to the browser. */
export const tested = ({ id, status, failing, checkedAt }: LinkedAccount) => ({
  id,
  status,
  failing,
  ...(checkedAt !== undefined && { checkedAt }),
});
