import { type Access, accesses, type Bucket } from "./access-types";

/** A mapping between a provider's scopes and our access names. */
export type ScopeTable = {
  /** The access that the provider offers, each with the least scopes that give it. */
  asks: Partial<Record<Access, readonly string[]>>;
  /**
   * Returns the access that a scope gives. Includes access that we never request, and is empty if
   * the scope gives no data.
   */
  gives(scope: string, all: readonly string[]): readonly Access[];
};

type DataKind = Exclude<Bucket, "identity">;
const reading = (kind: DataKind): Access[] => [`${kind}.read`];
const writing = (kind: DataKind): Access[] => [`${kind}.write`];
const both = (kind: DataKind): Access[] => [`${kind}.read`, `${kind}.write`];

/** Returns `asks` for types of data that each have one scope to read and one to write. */
const asking = (kinds: Record<DataKind, readonly [read: string, write: string]>): ScopeTable["asks"] =>
  Object.fromEntries(
    Object.entries(kinds).flatMap(([kind, [read, write]]) => [
      [`${kind}.read`, [read]],
      [`${kind}.write`, [write]],
    ]),
  );

const google = (name: string) => `https://www.googleapis.com/auth/${name}`;

/** The type of data of each Google scope, by the start of the part after `…/auth/`. */
const googleKinds: readonly (readonly [begins: RegExp, kind: DataKind])[] = [
  [/^gmail\./, "mail"],
  [/^calendar(\.|$)/, "calendar"],
  [/^(contacts(\.|$)|directory\.)/, "contacts"],
  [/^(drive|documents|spreadsheets|presentations)(\.|$)/, "files"],
  [/^tasks(\.|$)/, "tasks"],
];

/** https://developers.google.com/identity/protocols/oauth2/scopes */
export const googleScopes: ScopeTable = {
  asks: asking({
    mail: [google("gmail.readonly"), google("gmail.send")],
    calendar: [google("calendar.readonly"), google("calendar.events")],
    contacts: [google("contacts.readonly"), google("contacts")],
    files: [google("drive.readonly"), google("drive")],
    tasks: [google("tasks.readonly"), google("tasks")],
  }),
  gives(scope) {
    if (scope === "https://mail.google.com/") return both("mail");
    const [, name = ""] = /^https:\/\/www\.googleapis\.com\/auth\/(.+)$/.exec(scope) ?? [];
    const kind = googleKinds.find(([begins]) => begins.test(name))?.[1];
    if (!kind) return [];
    if (/\.(send|insert|compose)$/.test(name)) return writing(kind);
    return /(readonly|metadata|freebusy)$/.test(name) ? reading(kind) : both(kind);
  },
};

const graphKinds: Record<string, DataKind> = {
  Mail: "mail",
  MailboxSettings: "mail",
  Calendars: "calendar",
  Contacts: "contacts",
  People: "contacts",
  Files: "files",
  Sites: "files",
  Tasks: "tasks",
};

/**
 * Microsoft's scopes, with or without the URL prefix:
 * https://learn.microsoft.com/graph/permissions-reference
 */
export const microsoftScopes: ScopeTable = {
  asks: asking({
    mail: ["Mail.Read", "Mail.Send"],
    calendar: ["Calendars.Read", "Calendars.ReadWrite"],
    contacts: ["Contacts.Read", "Contacts.ReadWrite"],
    files: ["Files.Read", "Files.ReadWrite"],
    tasks: ["Tasks.Read", "Tasks.ReadWrite"],
  }),
  gives(scope) {
    const [, what = "", verb = ""] = /^(?:https:\/\/graph\.microsoft\.com\/)?(\w+)\.(\w+)/i.exec(scope) ?? [];
    const name = Object.keys(graphKinds).find((each) => each.toLowerCase() === what.toLowerCase());
    const kind = name && graphKinds[name];
    if (!kind) return [];
    if (/^send/i.test(verb)) return writing(kind);
    return /^read(?!write)/i.test(verb) ? reading(kind) : both(kind);
  },
};

/** Returns the mapping that an operator configured. An access requires all of its scopes. */
export const writtenScopes = (asks: Record<string, readonly string[]>): ScopeTable => ({
  asks: asks as ScopeTable["asks"],
  gives: (scope, all) =>
    accesses.filter((access) => asks[access]?.includes(scope) && asks[access].every((each) => all.includes(each))),
});

/** A mapping for identity only. */
export const noScopes: ScopeTable = { asks: {}, gives: () => [] };

/** A mail server's access: reading over IMAP, and sending over SMTP. */
export const mailScopes: ScopeTable = {
  asks: { "mail.read": ["imap"], "mail.write": ["smtp"] },
  gives: (scope) => (scope === "imap" ? reading("mail") : scope === "smtp" ? writing("mail") : []),
};
