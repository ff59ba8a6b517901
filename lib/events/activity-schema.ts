import { z } from "zod";
import { dayFilter, idFilter, optionalParam, wordsFilter } from "@/lib/text/url-filters";

/** The filters of the Activity page, in display order. */
export const ActivityKind = z.enum([
  ...(["permissions", "tokens", "trouble", "answers"] as const),
  ...(["notifications", "sign-ins", "apps", "accounts"] as const),
]);
export type ActivityKind = z.output<typeof ActivityKind>;

/** An event as its owner sees it. */
export const ActivityItem = z.object({
  /**
   * A number that is higher for later events. It is a string, because it may be too large for a
   * JavaScript number.
   */
  id: z.string(),
  /** The time of the event, in epoch milliseconds. */
  at: z.number().int(),
  type: z.string(),
  kind: ActivityKind,
  /** Who caused the event: the owner, the app, or the service. */
  actor: z.enum(["you", "app", "service"]),
  app: z.object({ appId: z.string(), name: z.string() }).optional(),
  /**
   * A sentence that describes the event. `{app}` is a placeholder for the app's name, so that a
   * page can style the name.
   */
  sentence: z.string(),
  /** Additional facts of a few words each, such as a token's permissions or its last characters. */
  facts: z.array(z.string()),
  /** The path of the subject's page, if the subject still exists. */
  href: z.string().optional(),
  /** The ID of the event's subject. */
  subject: z.string(),
  /**
   * A text that describes the subject. For a question or a notification, it is up to 200 characters
   * of the app's text. For a linked account, it is the owner's name for the account, or else the
   * account's address.
   */
  about: z.string().optional(),
  /** All data that was recorded with the event. */
  data: z.record(z.string(), z.unknown()),
});
export type ActivityItem = z.output<typeof ActivityItem>;

/**
 * A page of at most 50 events. `next` is the cursor for older events. If a search stopped early,
 * `reached` is the time of the oldest event that it read, in epoch milliseconds.
 */
export const ActivityPage = z.object({
  items: z.array(ActivityItem),
  next: z.string().optional(),
  reached: z.number().int().optional(),
});
export type ActivityPage = z.output<typeof ActivityPage>;

/** The filters of the Activity page, as in its query. */
export const ActivityFilter = z.object({
  appId: idFilter("app"),
  kind: optionalParam(ActivityKind),
  subject: optionalParam(z.string().regex(/^[a-z]{3}_[0-9a-v]{32}$/)),
  /** The text to search for in the event's sentence, app, subject and details. */
  text: wordsFilter,
  from: dayFilter,
  to: dayFilter,
  /** The ID of the last event on the previous page. */
  before: optionalParam(z.string().regex(/^\d{1,18}$/)),
});
export type ActivityFilter = z.input<typeof ActivityFilter>;

type Actor = ActivityItem["actor"];
export type EventData = Record<string, unknown>;

/** The description of an event type. `about` is the page of the event's subject. */
export type EventDescription = {
  kind: ActivityKind;
  actor: Actor | ((data: EventData) => Actor);
  sentence: string | ((data: EventData) => string);
  about?: "approval" | "notifications" | "app" | "registration" | "settings" | "integrations";
};

/** Returns a function that creates descriptions of event types of one kind. */
export const describes =
  (kind: ActivityKind, about?: EventDescription["about"]) =>
  (actor: EventDescription["actor"], sentence: EventDescription["sentence"]): EventDescription => ({
    kind,
    actor,
    sentence,
    ...(about && { about }),
  });
