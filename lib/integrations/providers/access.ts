/** Kinds of data an account can give. */
export const buckets = ["identity", "mail", "calendar", "contacts", "files", "tasks"] as const;

export type Bucket = (typeof buckets)[number];

/** What may be done with a kind of data: `calendar.read`, `mail.write`. Who one is can only be read. */
export const accesses = [
  "mail.read",
  "mail.write",
  "calendar.read",
  "calendar.write",
  "contacts.read",
  "contacts.write",
  "files.read",
  "files.write",
  "tasks.read",
  "tasks.write",
] as const;
export type Access = (typeof accesses)[number];
