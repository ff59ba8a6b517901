import { z } from "zod";
import type { SignInMethod } from "@/lib/actor";
import { text } from "@/lib/text/text-schema";
import { isBreached } from "./weak-passwords/breached";
import { isGuessable } from "./weak-passwords/guessable";

/*
 * A new setting needs a column in `owner_settings`, a field in `Settings` below, a default in
 * `settings.ts`, and a row in `components/settings/setting-definitions.ts`. If it can reduce the
 * owner's protection, it also needs a line in `weaker` (`settings.ts`).
 */

const points = (value: string) => [...value].length;

/**
 * An email address, stored in lowercase, because case does not matter. At most 254 characters (RFC
 * 5321).
 */
export const Email = z
  .string()
  .transform((value) => value.trim().toLowerCase())
  .pipe(z.email("Must be an email address").max(254, "Must be at most 254 characters"));

/**
 * A password of 15 to 256 code points (NIST SP 800-63B-4, section 3.1.1), with any characters
 * including spaces. It must be neither easy to guess nor breached.
 */
export const Password = z
  .string()
  .refine((value) => points(value) >= 15, {
    error: "Must be at least 15 characters. Four random words work well.",
    abort: true,
  })
  .refine((value) => points(value) <= 256, { error: "Must be at most 256 characters", abort: true })
  .refine((value) => !isGuessable(value), {
    error: "This password is too easy to guess. Choose four words that don’t belong together.",
    abort: true,
  })
  .refine(
    (value) => !isBreached(value),
    "This password, or most of it, is on a list of passwords from data breaches. Choose other words.",
  );

export const NewOwner = z.object({ email: Email, name: text({ max: 100 }), password: Password });
export type NewOwner = z.output<typeof NewOwner>;

export const Credentials = z.object({ email: z.string().max(1000), password: z.string().max(2000) });
export type Credentials = z.output<typeof Credentials>;

export const PasswordChange = z.object({ current: z.string().max(2000), next: Password });
export type PasswordChange = z.output<typeof PasswordChange>;

export const PasswordReset = z.object({ next: Password });
export type PasswordReset = z.output<typeof PasswordReset>;

/** An owner, as listed for the operator. `createdAt` is in epoch milliseconds. */
export type OwnerSummary = { ownerId: string; email: string; name: string; createdAt: number };

/**
 * An owner who has just proved their identity. A session starts only if the account's session
 * version is still `sessionVersion`.
 */
export type Entrance = { ownerId: string; sessionVersion: number };

/**
 * Whether an owner who signed in by this method may set a new password without the current one.
 * This is not allowed after a sign-in by password or by a phone link.
 */
export const mayReset = (method: SignInMethod): boolean => method !== "password" && method !== "phone_link";

/** A browser in which the owner is signed in. Times are in epoch milliseconds. */
export type SessionSummary = {
  id: string;
  /** For example "Chrome on Linux". */
  device: string;
  address: string;
  /** How the owner signed in, such as " with a passkey". Empty for a password. */
  how: string;
  createdAt: number;
  lastSeenAt: number;
  current: boolean;
};

/** A passkey as its owner sees it. Times are in epoch milliseconds. */
export type PasskeySummary = { id: string; name: string; createdAt: number; lastUsedAt?: number };

export const NewPasskey = z.object({
  name: z
    .string()
    .trim()
    .pipe(text({ max: 60 })),
  /** The browser's response, as JSON. */
  response: z.string().max(20_000),
});
export type NewPasskey = z.output<typeof NewPasskey>;

export const PasskeyAnswer = NewPasskey.pick({ response: true });

export const Recovery = z.object({ email: z.string().max(1000), code: z.string().max(200) });
export type Recovery = z.output<typeof Recovery>;

/** The number of unused recovery codes, and when they were created, in epoch milliseconds. */
export type RecoveryState = { left: number; madeAt?: number };

/** The account fields that the owner can change. */
export const AccountChange = NewOwner.pick({ name: true, email: true });
export type AccountChange = z.output<typeof AccountChange>;

/**
 * The account's email, and whether it is confirmed. `pending` is a new address that is not
 * confirmed yet.
 */
export type EmailState = { email: string; confirmed: boolean; pending?: string };

export const LinkRequest = z.object({ email: Email });
export type LinkRequest = z.output<typeof LinkRequest>;

/** The names of all time zones, as this service spells them. */
export const timeZones: readonly string[] = [
  "UTC",
  ...Intl.supportedValuesOf("timeZone").filter((zone) => zone !== "UTC"),
];
const zones = new Set(timeZones);

/**
 * Returns our name for a time zone. A zone can have several names, and browsers report different
 * ones. For example, our Asia/Calcutta is also called Asia/Kolkata.
 */
function asWeWriteIt(zone: string): string {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: zone }).resolvedOptions().timeZone;
  } catch {
    return zone;
  }
}
const Minutes = z.number().int().min(0).max(1439);

/** An owner's settings and their allowed values. */
export const Settings = z.object({
  /** How long an answer is held before it takes effect, in seconds. */
  undoSeconds: z.union([z.literal(0), z.literal(5), z.literal(10), z.literal(30)]),
  /** Whether a first press only selects an answer, and a second press sends it. */
  alwaysConfirm: z.boolean(),
  /** Whether the owner's passkey must sign every answer. Can be turned on only with a passkey. */
  signAnswers: z.boolean(),
  /** Whether keys without a modifier are shortcuts. */
  singleKeys: z.boolean(),
  theme: z.enum(["system", "light", "dark"]),
  density: z.enum(["comfortable", "compact"]),
  motion: z.enum(["system", "reduced"]),
  /** The IANA name of a time zone. */
  timeZone: z
    .string()
    .max(100, "Must be a time zone, like Europe/Berlin")
    .transform(asWeWriteIt)
    .refine((zone) => zones.has(zone), "Must be a time zone, like Europe/Berlin"),
  /**
   * When quiet hours start and end, in minutes after local midnight. If `until` is not later than
   * `from`, quiet hours end on the next day. Null means no quiet hours.
   */
  quiet: z.object({ from: Minutes, until: Minutes }).nullable(),
  /** Days on which quiet hours begin, from 0 (Sunday) to 6 (Saturday). */
  quietDays: z.array(z.number().int().min(0).max(6)).max(7),
  /** Whether urgent items trigger alerts during quiet hours. */
  quietBreakthrough: z.boolean(),
  /** How much an alert shows on a lock screen. `private` shows only the app's name. */
  lockScreen: z.enum(["private", "full"]),
  /** Whether an alert that shows a low-risk question in full also offers its two answers. */
  answerFromAlerts: z.boolean(),
  emailAlerts: z.boolean(),
  /** How many minutes an item stays pending before an email is sent. */
  emailAfterMinutes: z.number().int().min(1).max(1440),
  /** Whether emails may contain links that answer a question without a sign-in. */
  emailAnswers: z.boolean(),
  /** Whether the first steps are hidden. */
  firstStepsDone: z.boolean(),
});
export type Settings = z.output<typeof Settings>;

/** The settings that pages need in the browser. */
export type Appearance = Pick<Settings, "theme" | "density" | "motion">;
export type Choices = Appearance & Pick<Settings, "singleKeys">;

/** The account's email, typed again to confirm the account's deletion. */
export const Deletion = z.object({ email: z.string().max(1000) });
export type Deletion = z.output<typeof Deletion>;

/**
 * A setting as its form sends it: quiet hours as "22:00" and "07:00" or as "off", each day as a
 * separate value, booleans as "on" and "off".
 */
export const SettingChange = z.object({
  setting: z.enum(Object.keys(Settings.shape) as [keyof Settings, ...(keyof Settings)[]]),
  value: z.array(z.string().max(100)).max(10),
});
export type SettingChange = z.output<typeof SettingChange>;

/** The values of each setting, as its form sends them. */
export type SettingsForms = Record<keyof Settings, string[]>;
