import { z } from "zod";
import type { OwnerActor } from "@/lib/actor";
import { seal, unseal } from "@/lib/keys/crypto";
import { text } from "@/lib/text/text-schema";
import type { MailServer } from "../providers/provider";

const optional = (max: number) => z.string().trim().pipe(text({ max })).optional();
const port = z
  .string()
  .regex(/^\s*\d{1,5}\s*$/, "Must be a number, like 993")
  .transform(Number)
  .optional();
const encryption = z.enum(["", "tls", "starttls"]).optional();

/** An owner's input for linking a mail account. Servers that are left empty are discovered. */
export const MailForm = z.object({
  /** The account to reconnect; undefined for a new one. */
  account: z.string().max(100).optional(),
  email: z
    .string()
    .trim()
    .max(254, "Must be at most 254 characters")
    .pipe(z.email("Must be an email address, like robin@example.com")),
  password: z
    .string()
    .min(1, "Must not be empty")
    .max(1000, "Must be at most 1,000 characters")
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they would end a line or a text.
    .regex(/^[^\x00-\x1f\x7f]*$/, "Must be one line without control characters"),
  kinds: z.enum(["read", "send"], "Choose a permission"),
  /** The login name, if it differs from the address. */
  user: optional(254),
  imapHost: optional(253),
  imapPort: port,
  imapTls: encryption,
  smtpHost: optional(253),
  smtpPort: port,
  smtpTls: encryption,
});
export type MailForm = z.output<typeof MailForm>;

/** The form's values without the password. The page keeps them until the form succeeds. */
export type MailFormValues = Partial<Record<Exclude<keyof MailForm, "password">, string>>;
const remembered = Object.keys(MailForm.shape).filter((name) => name !== "password");

export const parseMailForm = (form: FormData): MailFormValues =>
  Object.fromEntries(
    remembered.flatMap((name) => {
      const value = form.get(name);
      return typeof value === "string" && value.length <= 1000 ? [[name, value]] : [];
    }),
  );

/** Returns servers as form values. */
export const toFormFields = ({ imap, smtp }: { imap: MailServer; smtp?: MailServer }): MailFormValues => ({
  imapHost: shown(imap),
  imapPort: String(imap.port),
  imapTls: imap.tls ? "tls" : "starttls",
  ...(smtp && { smtpHost: shown(smtp), smtpPort: String(smtp.port), smtpTls: smtp.tls ? "tls" : "starttls" }),
});
const shown = ({ host }: MailServer) => (host.includes(":") ? `[${host}]` : host);

/**
 * Encrypts the form's values for a URL that restores the form. They are bound to the owner, so that
 * nobody else's link can choose the server that receives the owner's password.
 */
export const sealFormValues = ({ ownerId }: OwnerActor, typed: MailFormValues): string =>
  seal(purpose, JSON.stringify(typed), ownerId).toString("base64url");

/**
 * Decrypts the form's values.
 * @returns an empty object if they were not encrypted for this owner
 */
export function openFormValues({ ownerId }: OwnerActor, sealed: string): MailFormValues {
  try {
    return JSON.parse(unseal(purpose, Buffer.from(sealed, "base64url"), ownerId)) as MailFormValues;
  } catch {
    return {};
  }
}
const purpose = "mail-form";
