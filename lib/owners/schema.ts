import { z } from "zod";
import { text } from "@/lib/text";

const points = (value: string) => [...value].length;

/** Compared without regard to case, so kept in lower case. At most 254 characters (RFC 5321). */
export const Email = z
  .string()
  .transform((value) => value.trim().toLowerCase())
  .pipe(z.email("Must be an e-mail address").max(254, "Must be at most 254 characters"));

/** 15 to 256 code points (NIST SP 800-63B-4, section 3.1.1); any characters, spaces too. */
export const Password = z
  .string()
  .refine((value) => points(value) >= 15, "Must be at least 15 characters; a few words make a good one")
  .refine((value) => points(value) <= 256, "Must be at most 256 characters");

export const NewOwner = z.object({ email: Email, name: text({ max: 100 }), password: Password });
export type NewOwner = z.output<typeof NewOwner>;

export const Credentials = z.object({ email: z.string().max(1000), password: z.string().max(2000) });
export type Credentials = z.output<typeof Credentials>;

export const PasswordChange = z.object({ current: z.string().max(2000), next: Password });
export type PasswordChange = z.output<typeof PasswordChange>;

/** An owner as lists show them. */
export const OwnerSummary = z.object({
  ownerId: z.string(),
  email: z.string(),
  name: z.string(),
  /** Epoch milliseconds. */
  createdAt: z.number().int(),
});
export type OwnerSummary = z.output<typeof OwnerSummary>;
