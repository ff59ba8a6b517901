import { z } from "zod";
import { text } from "@/lib/text";

const optional = (max: number) => text({ max }).optional();
const port = z
  .string()
  .regex(/^\s*\d{1,5}\s*$/, "Must be a number, like 993")
  .transform(Number)
  .optional();
const encryption = z.enum(["", "tls", "starttls"]).optional();

/** What an owner types to link a mail account. Servers that are left empty are found by themselves. */
export const MailForm = z.object({
  /** The account to be connected again, if it is not a new one. */
  account: z.string().max(100).optional(),
  email: z
    .string()
    .trim()
    .max(254, "Must be at most 254 characters")
    .pipe(z.email("Must be an e-mail address, like robin@example.com")),
  password: z
    .string()
    .min(1, "Must not be empty")
    .max(1000, "Must be at most 1,000 characters")
    // biome-ignore lint/suspicious/noControlCharactersInRegex: which are what ends a line or a text on the way to the server.
    .regex(/^[^\x00-\x1f\x7f]*$/, "Must be one line without control characters"),
  kinds: z.enum(["read", "send"], "Choose one"),
  /** The login name, where it is not the address. */
  user: optional(254),
  imapHost: optional(253),
  imapPort: port,
  imapTls: encryption,
  smtpHost: optional(253),
  smtpPort: port,
  smtpTls: encryption,
});
export type MailForm = z.output<typeof MailForm>;
