import { z } from "zod";
import { webAddressProblem } from "@/lib/net/check-app-link-url";

export const priorities = ["low", "normal", "high", "urgent"] as const;
export const formats = ["plain", "markdown"] as const;
/** The display hints in `data.inbox`, validated, for the owner's pages. */
export type InboxHints = {
  /** An https URL, normalized as in a browser. It contains no username or password. */
  url?: string;
  /** `urgent` bypasses quiet hours if the owner allows it. */
  priority: (typeof priorities)[number];
  /** A newer notification of the same app with the same key replaces the older one. */
  dedupeKey?: string;
  /** When the notification is marked as done automatically, in epoch milliseconds. */
  expiresAt?: number;
  /** The format of the body. */
  format: (typeof formats)[number];
};

const from2000 = Date.UTC(2000, 0);
const until10000 = Date.UTC(10000, 0) - 1;
const name = (values: readonly string[]) => values.map((value) => `"${value}"`).join(", ");

/** Fields are validated one by one, so that an invalid field does not affect the others. */
const extra = {
  url: z.string("Must be an https address").max(2000, "Must be at most 2,000 characters").transform(webAddress),
  priority: z.enum(priorities, `Must be one of ${name(priorities)}`),
  dedupeKey: z
    .string("Must be text")
    .min(1, "Must not be empty")
    .max(200, "Must be at most 200 characters")
    .refine((key) => !key.includes("\0"), "Must not contain a NUL character"),
  expiresAt: z
    .int("Must be epoch milliseconds as a whole number")
    .min(from2000, "Must be epoch milliseconds in the year 2000 or later")
    .max(until10000, "Must be epoch milliseconds before the year 10000"),
  format: z.enum(formats, `Must be one of ${name(formats)}`),
} satisfies Record<keyof InboxHints, z.ZodType>;

/**
 * Reads the display hints under `data.inbox` of an app's free-form `data`. Never fails. Unknown or
 * invalid fields are left out, and listed in `ignored` for the app's developer ("inbox.url: Must be
 * …").
 */
export function readInboxHints(data: unknown): { extras: InboxHints; ignored: string[] } {
  const extras: InboxHints = { priority: "normal", format: "plain" };
  const ignored: string[] = [];
  const inbox = isObject(data) && Object.hasOwn(data, "inbox") ? data.inbox : {};
  if (!isObject(inbox)) return { extras, ignored: ["inbox: Must be an object"] };
  for (const [key, value] of Object.entries(inbox)) {
    if (!Object.hasOwn(extra, key)) {
      ignored.push(`inbox.${key.slice(0, 60)}: Unknown`);
      continue;
    }
    const parsed = extra[key as keyof InboxHints].safeParse(value);
    if (parsed.success) Object.assign(extras, { [key]: parsed.data });
    else ignored.push(`inbox.${key}: ${parsed.error.issues[0]?.message}`);
  }
  return { extras, ignored };
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function webAddress(value: string, context: z.RefinementCtx): string {
  const problem = webAddressProblem(value);
  if (!problem) return new URL(value).href;
  context.addIssue({ code: "custom", message: problem });
  return z.NEVER;
}
