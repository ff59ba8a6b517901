/** Types of data that an account can share. */
export const buckets = ["identity", "mail", "calendar", "contacts", "files", "tasks"] as const;
export type Bucket = (typeof buckets)[number];

/**
 * An operation on a type of data, such as `calendar.read` or `mail.write`. Every account shares its
 * identity, so there is no operation for it.
 */
export type Access = `${Exclude<Bucket, "identity">}.${"read" | "write"}`;
export const accesses: readonly Access[] = buckets.flatMap((kind): Access[] =>
  kind === "identity" ? [] : [`${kind}.read`, `${kind}.write`],
);
