import { z } from "zod";
import { text } from "@/lib/text/text";
import { isBreached } from "./weak-passwords/breached";
import { isGuessable } from "./weak-passwords/guessable";

/*
 * A setting is a column of `owner_settings`, a field of `Settings` below with its default in `settings.ts`, and a row in
 * `components/settings/rows.ts`, where the palette finds it too. One that can protect less than before is also a line in
 * `weaker` (`settings.ts`). Pages read what the browser needs of them with `useChoices`.
 */

const points = (value: string) => [...value].length;

/** Compared without regard to case, so kept in lower case. At most 254 characters (RFC 5321). */
export const Email = z
  .string()
  .transform((value) => value.trim().toLowerCase())
  .pipe(z.email("Must be an e-mail address").max(254, "Must be at most 254 characters"));

/** 15 to 256 code points (NIST SP 800-63B-4, section 3.1.1); any characters, spaces too; none that everybody tries or that was breached. */
export const Password = z
  .string()
  .refine((value) => points(value) >= 15, {
    error: "Must be at least 15 characters; four random words work well",
    abort: true,
  })
  .refine((value) => points(value) <= 256, { error: "Must be at most 256 characters", abort: true })
  .refine((value) => !isGuessable(value), { error: "Too easy to guess. Four random words work well", abort: true })
  .refine(
    (value) => !isBreached(value),
    "This password, or most of it, is on a list of passwords from data breaches. Four random words work well",
  );

export const NewOwner = z.object({ email: Email, name: text({ max: 100 }), password: Password });
export type NewOwner = z.output<typeof NewOwner>;

export const Credentials = z.object({ email: z.string().max(1000), password: z.string().max(2000) });
export type Credentials = z.output<typeof Credentials>;

export const PasswordChange = z.object({ current: z.string().max(2000), next: Password });
export type PasswordChange = z.output<typeof PasswordChange>;

export const PasswordReset = z.object({ next: Password });
export type PasswordReset = z.output<typeof PasswordReset>;

/** An owner as lists show them; `createdAt` in epoch milliseconds. */
export type OwnerSummary = { ownerId: string; email: string; name: string; createdAt: number };

/** Somebody who has just shown who they are. A session begins only while `sessionVersion` still holds. */
export type Entrance = { ownerId: string; sessionVersion: number };

/** How somebody showed who they are. */
export type SignInMethod = "password" | "passkey" | "recovery_code" | "email_link" | "reset_link" | "phone_link";

/** Whether who came in so may choose another password without telling the one before: not from one device to another. */
export const mayReset = (method: SignInMethod): boolean => method !== "password" && method !== "phone_link";

/** A browser in which the owner is signed in. Times in epoch milliseconds. */
export type SessionSummary = {
  id: string;
  /** "Chrome on Linux". */
  device: string;
  address: string;
  /** " with a passkey"; empty for a password. */
  how: string;
  createdAt: number;
  lastSeenAt: number;
  /** Whether it is the one that asks. */
  current: boolean;
};

/** A passkey as its owner sees it. Times in epoch milliseconds. */
export type PasskeySummary = { id: string; name: string; createdAt: number; lastUsedAt?: number };

export const NewPasskey = z.object({
  name: z
    .string()
    .trim()
    .pipe(text({ max: 60 })),
  /** What the browser made of it, as JSON. */
  response: z.string().max(20_000),
});
export type NewPasskey = z.output<typeof NewPasskey>;

export const PasskeyAnswer = NewPasskey.pick({ response: true });

export const Recovery = z.object({ email: z.string().max(1000), code: z.string().max(200) });
export type Recovery = z.output<typeof Recovery>;

/** How many of the owner's recovery codes are unused, and when they were made (epoch milliseconds). */
export type RecoveryState = { left: number; madeAt?: number };

/** What an account is called and where its owner is written to. */
export const AccountChange = NewOwner.pick({ name: true, email: true });
export type AccountChange = z.output<typeof AccountChange>;

/** The account's address. `pending`: the one it changes to once that is confirmed. */
export type EmailState = { email: string; confirmed: boolean; pending?: string };

export const LinkRequest = z.object({ email: Email });
export type LinkRequest = z.output<typeof LinkRequest>;

/** Every time zone's name, as this service writes it. */
export const timeZones: readonly string[] = [
  "UTC",
  ...Intl.supportedValuesOf("timeZone").filter((zone) => zone !== "UTC"),
];
const zones = new Set(timeZones);

/** A zone has had several names, and browsers differ in the one they give: Asia/Kolkata is our Asia/Calcutta. */
function asWeWriteIt(zone: string): string {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: zone }).resolvedOptions().timeZone;
  } catch {
    return zone;
  }
}
const Minutes = z.number().int().min(0).max(1439);

/** What an owner chose for themselves, and its bounds. */
export const Settings = z.object({
  /** How long an answer is held, in seconds, before it counts. */
  undoSeconds: z.union([z.literal(0), z.literal(5), z.literal(10), z.literal(30)]),
  /** A key or click chooses, and a second one sends. */
  alwaysConfirm: z.boolean(),
  /** Whether keys without a modifier act. */
  singleKeys: z.boolean(),
  theme: z.enum(["system", "light", "dark"]),
  density: z.enum(["comfortable", "compact"]),
  motion: z.enum(["system", "reduced"]),
  /** An IANA name. */
  timeZone: z
    .string()
    .max(100, "Must be a time zone")
    .transform(asWeWriteIt)
    .refine((zone) => zones.has(zone), "Must be a time zone"),
  /** Minutes after midnight there; where `until` is not later than `from`, the next morning's. Null for no quiet hours. */
  quiet: z.object({ from: Minutes, until: Minutes }).nullable(),
  /** Days on which quiet hours begin, 0 for Sunday. */
  quietDays: z.array(z.number().int().min(0).max(6)).max(7),
  /** Whether what is urgent alerts all the same. */
  quietBreakthrough: z.boolean(),
  /** What an alert says where others may read it: `private` names the app alone. */
  lockScreen: z.enum(["private", "full"]),
  /** Whether alerts that show a question of low risk in full offer its two answers. */
  answerFromAlerts: z.boolean(),
  emailAlerts: z.boolean(),
  /** How long something waits before an e-mail is sent about it. */
  emailAfterMinutes: z.number().int().min(1).max(1440),
  /** Whether e-mails may carry links that answer a question without a sign-in. */
  emailAnswers: z.boolean(),
  /** Whether the first steps are done with, and no longer shown. */
  firstStepsDone: z.boolean(),
});
export type Settings = z.output<typeof Settings>;

/** What pages need to know of them in the browser, to look and to act as the owner chose. */
export type Appearance = Pick<Settings, "theme" | "density" | "motion">;
export type Choices = Appearance & Pick<Settings, "singleKeys">;

/** The account's e-mail, typed once more by somebody who wants it deleted. */
export const Deletion = z.object({ email: z.string().max(1000) });
export type Deletion = z.output<typeof Deletion>;

/** One setting as a form sends it: quiet hours as "22:00" and "07:00" or "off", days one by one, yes and no as "on" and "off". */
export const SettingChange = z.object({
  setting: z.enum(Object.keys(Settings.shape) as [keyof Settings, ...(keyof Settings)[]]),
  value: z.array(z.string().max(100)).max(10),
});
export type SettingChange = z.output<typeof SettingChange>;

/** Every setting as its form sends it. */
export type SettingsForms = Record<keyof Settings, string[]>;
