import { z } from "zod";
import { characterProblem } from "@/lib/text/text-problems";
import { refuse, text } from "@/lib/text/text-schema";
import { epochMillis } from "@/lib/timestamp-schema";

/** The maximum size of a notification's `data` in bytes, and its maximum nesting depth. */
export const dataBounds = { bytes: 16 * 1024, levels: 8 };

const Data = z
  .looseObject({})
  .check(refuse(dataProblem))
  .describe(
    "A free-form object, at most 16 KiB and 8 levels deep, returned unchanged. Empty by default. Integers must fit in 53 bits. " +
      "The field `inbox` sets how the owner sees the notification: `url` (https), `priority` (low, normal, high, urgent), " +
      "`dedupeKey` (a newer notification with the same key replaces the older notification), `expiresAt` (epoch milliseconds), `format` " +
      "(plain, markdown). Unknown fields of `inbox` are ignored.",
  );

export const Notification = z
  .object({
    _id: z.string().describe("The ID of the notification."),
    _creationTime: epochMillis(),
    title: z.string().describe("The title of the notification."),
    body: z.string().describe("The text of the notification."),
    type: z.string().describe("The notification's category, as free text."),
    createdAt: epochMillis(),
    data: z.looseObject({}).describe("The object that the app attached to the notification."),
  })
  .meta({ id: "Notification" });
export type Notification = z.infer<typeof Notification>;

/** A notification's type: free text from the app, which may be empty. */
export const NotificationType = text({ max: 64, min: 0 });

export const NewNotification = z
  .strictObject({
    title: text({ max: 200 }).describe("One line that summarizes the notification."),
    body: text({ max: 10_000, min: 0, lines: true })
      .optional()
      .describe("The text of the notification; empty by default."),
    type: NotificationType.optional().describe(
      "The notification's category, as free text; `general` by default. The owner can mute each type separately.",
    ),
    data: Data.optional(),
  })
  .meta({ id: "NotificationRequest" });
export type NewNotification = z.infer<typeof NewNotification>;

/** A notification as its owner sees it. Times are in epoch milliseconds. */
export type FeedItem = {
  id: string;
  /** The ID shared by a notification and its replacements. */
  slot: string;
  createdAt: number;
  /**
   * `ours` marks a notification from the service itself, which no app can fake. `hue` distinguishes
   * the owner's apps.
   */
  app: { appId: string; name: string; hue: number; ours: boolean };
  title: string;
  body: string;
  /** The app's category for the notification. */
  type: string;
  read: boolean;
  place: FeedPlace;
  /** When the notification entered the inbox, or will return to it. */
  surfacedAt: number;
  doneAt?: number;
  /** When the notification is marked as done automatically. */
  expiresAt?: number;
  /** An https URL. Owners judge it by its `host`. */
  link?: { url: string; host: string };
  priority: "low" | "normal" | "high" | "urgent";
  format: "plain" | "markdown";
  /** The number of replaced notifications, at most 100. */
  earlier: number;
  /** The ID of the newer notification that replaced this one. */
  replacedBy?: string;
  /** What the owner muted: the notification's app or its type. Absent if neither is muted. */
  muted?: "app" | "type";
};

/** A notification's place in the feed. */
export type FeedPlace = "inbox" | "snoozed" | "done";

/**
 * The owner's actions on notifications. The names of snooze actions contain the duration in
 * minutes. Muting applies to the app or the type of the given notification. `read-all` applies to
 * all notifications in a view that are not newer than the given one.
 */
export const triageActions = [
  ...(["done", "back", "read", "unread", "read-all", "wake"] as const),
  ...(["mute-app", "unmute-app", "mute-type", "unmute-type"] as const),
  ...(["snooze-60", "snooze-240", "snooze-1440", "snooze-10080"] as const),
] as const;
export type TriageAction = (typeof triageActions)[number];
/** Actions that only an undo uses. */
export const undoActions = ["surface", "unread-all"] as const;

/** The notifications that an action or its undo applies to. */
export const TriageForm = z.object({
  ids: z.array(z.string().max(40)).min(1).max(200),
  /**
   * Epoch milliseconds. For `surface`, when each notification enters the inbox. For `unread-all`,
   * when all of them were marked as read.
   */
  at: z.array(z.coerce.number().min(0).max(8.64e15)).max(200).default([]),
  /** The view that `read-all` applies to. */
  appId: z.string().max(40).optional(),
  type: z.string().max(128).optional(),
  search: z.string().max(200).optional(),
});
export type Triage = z.output<typeof TriageForm> & { act: TriageAction | (typeof undoActions)[number] };

/**
 * The number of changed notifications, and the action that undoes the change. Without a change,
 * there is no undo.
 */
export type Triaged = { count: number; undo?: Pick<Triage, "act" | "ids" | "at"> };

const poisonedKeys = new Set(["__proto__", "constructor", "prototype"]);

function dataProblem(data: object): string | undefined {
  return (
    valueProblem(data, 1) ??
    (Buffer.byteLength(JSON.stringify(data)) > dataBounds.bytes ? "Must be at most 16 KiB" : undefined)
  );
}

/**
 * Returns the first problem inside a JSON value. Stops at the depth limit, so that the stack can't
 * overflow.
 */
function valueProblem(value: unknown, level: number): string | undefined {
  if (typeof value === "string") return characterProblem(value, true);
  if (typeof value === "number") return numberProblem(value);
  if (typeof value !== "object" || value === null) return undefined;
  if (level > dataBounds.levels) return `Must be at most ${dataBounds.levels} levels deep`;
  for (const [name, inner] of Object.entries(value)) {
    if (poisonedKeys.has(name)) return `Must not contain a key named ${name}`;
    const problem = characterProblem(name, true) ?? valueProblem(inner, level + 1);
    if (problem) return problem;
  }
  return undefined;
}

function numberProblem(value: number): string | undefined {
  if (!Number.isFinite(value)) return "Must not contain a number beyond the range of a 64-bit float";
  if (Number.isInteger(value) && !Number.isSafeInteger(value))
    return "Must not contain an integer beyond 53 bits. Send large integers as text.";
  return undefined;
}
