import { type Access, accesses, type Bucket } from "./access";

/** How one provider's scopes and what owners tick stand for each other. */
export type ScopeTable = {
  /** What can be asked of it, and the least it takes. */
  asks: Partial<Record<Access, readonly string[]>>;
  /** What a scope gives, also one that we never ask for; none where it gives no kind of data. */
  gives(scope: string, all: readonly string[]): readonly Access[];
};

type Kind = Exclude<Bucket, "identity">;
const reading = (kind: Kind): Access[] => [`${kind}.read`];
const writing = (kind: Kind): Access[] => [`${kind}.write`];
const both = (kind: Kind): Access[] => [`${kind}.read`, `${kind}.write`];

/** The scope to read each kind of data, and the one to write it. */
const asking = (kinds: Record<Kind, readonly [read: string, write: string]>): ScopeTable["asks"] =>
  Object.fromEntries(
    Object.entries(kinds).flatMap(([kind, [read, write]]) => [
      [`${kind}.read`, [read]],
      [`${kind}.write`, [write]],
    ]),
  );

const google = (name: string) => `https://www.googleapis.com/auth/${name}`;

/** By how Google's scopes begin after `…/auth/`. */
const googleKinds: readonly (readonly [begins: RegExp, kind: Kind])[] = [
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

const graphKinds: Record<string, Kind> = {
  Mail: "mail",
  MailboxSettings: "mail",
  Calendars: "calendar",
  Contacts: "contacts",
  People: "contacts",
  Files: "files",
  Sites: "files",
  Tasks: "tasks",
};

/** https://learn.microsoft.com/graph/permissions-reference; with and without its address before them. */
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

/** What an operator wrote: an access is given once every scope that it takes is. */
export const writtenScopes = (asks: Record<string, readonly string[]>): ScopeTable => ({
  asks: asks as ScopeTable["asks"],
  gives: (scope, all) =>
    accesses.filter((access) => asks[access]?.includes(scope) && asks[access].every((each) => all.includes(each))),
});

/** Nothing but who one is. */
export const noScopes: ScopeTable = { asks: {}, gives: () => [] };

/** A mail server's own: what is read over IMAP, and what is sent over SMTP. */
export const mailScopes: ScopeTable = {
  asks: { "mail.read": ["imap"], "mail.write": ["smtp"] },
  gives: (scope) => (scope === "imap" ? reading("mail") : scope === "smtp" ? writing("mail") : []),
};
