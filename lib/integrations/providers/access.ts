/** Kinds of data an account can give. */
export const buckets = ["identity", "mail", "calendar", "contacts", "files", "tasks"] as const;
export type Bucket = (typeof buckets)[number];

/** What may be done with a kind of data: `calendar.read`, `mail.write`. Who one is can only be read. */
export type Access = `${Exclude<Bucket, "identity">}.${"read" | "write"}`;
export const accesses: readonly Access[] = buckets.flatMap((kind): Access[] =>
  kind === "identity" ? [] : [`${kind}.read`, `${kind}.write`],
);
