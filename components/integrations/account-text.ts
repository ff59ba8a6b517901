import type { LinkedAccount } from "@/lib/integrations/accounts";
import type { Access, Bucket } from "@/lib/integrations/providers/access-types";

/** The label of each data type. */
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

/** The permitted verbs for one data type, like "read and send". Empty if none is known. */
export const verbs = (bucket: Bucket, accesses: readonly Access[]): string =>
  accesses
    .filter((access) => bucketOf(access) === bucket)
    .map(verbOf)
    .join(" and ");

/** A data type and its permitted verbs: "Mail · read and send". */
export function kindWords(bucket: Bucket, accesses: readonly Access[]): string {
  const may = verbs(bucket, accesses);
  return may ? `${kinds[bucket]} · ${may}` : kinds[bucket];
}

/** The distinct data types in a list of permissions, in order. */
export const bucketsAmong = (accesses: readonly Access[]): Bucket[] => [...new Set(accesses.map(bucketOf))];

/** Each permission as the start of a sentence. */
export const accessSentences: Record<Access, string> = {
  "mail.read": "Read mail",
  "mail.write": "Send or change mail",
  "calendar.read": "See your calendar",
  "calendar.write": "Add, change and delete events",
  "contacts.read": "See contacts",
  "contacts.write": "Add, change and delete contacts",
  "files.read": "See files",
  "files.write": "Add, change and delete files",
  "tasks.read": "See tasks",
  "tasks.write": "Add, change and delete tasks",
};

/** Several permissions as one phrase: "Read mail, see your calendar, and add, change and delete events". */
export const accessList = (accesses: readonly Access[]): string => {
  const sentences = accesses.map((access) => accessSentences[access]);
  const parts = sentences.map((it, index) => (index === 0 ? it : it.charAt(0).toLowerCase() + it.slice(1)));
  const last = parts.pop() ?? "";
  // The comma separates the last part from an "and" within a part.
  return parts.length > 0 ? `${parts.join(", ")}, and ${last}` : last;
};

/** The owner's label for an account, or its email if it has no label. */
export const nameOf = ({ label, email }: Pick<LinkedAccount, "label" | "email">): string => label ?? email;

/** The provider's name, like "Google", or "the mail server" for a mail account. */
export const providerWords = ({ kind, providerName }: Pick<LinkedAccount, "kind" | "providerName">): string =>
  kind === "mail" ? "the mail server" : providerName;

export const statusWords = {
  connected: { tone: "neutral", word: "Connected" },
  needs_reauth: { tone: "warn", word: "Reconnect needed" },
  error: { tone: "neutral", word: "Temporarily unavailable" },
  disconnected: { tone: "neutral", word: "Removed" },
} as const;

/** The account's fields that `TestConnection` needs, so that no others are sent to the browser. */
export const tested = ({ id, status, failing, checkedAt }: LinkedAccount) => ({
  id,
  status,
  failing,
  ...(checkedAt !== undefined && { checkedAt }),
});
