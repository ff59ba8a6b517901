import { z } from "zod";
import { dayFilter, idFilter, optionalParam, wordsFilter } from "@/lib/text/url-filters";

/** The filters of the Activity page, in display order. */
export const ActivityKind = z.enum([
  ...(["permissions", "tokens", "trouble", "answers"] as const),
  ...(["notifications", "sign-ins", "apps", "accounts"] as const),
]);
export type ActivityKind = z.output<typeof ActivityKind>;

/** An event in the form that its owner reads. */
export const ActivityItem = z.object({
  /**
   * A number that is greater for later events. As text, because it may be too large for a number.
   */
  id: z.string(),
  /** Epoch milliseconds. */
  at: z.number().int(),
  type: z.string(),
  kind: ActivityKind,
  /** Who caused the event: the owner, the app, or the service. */
  actor: z.enum(["you", "app", "service"]),
  app: z.object({ appId: z.string(), name: z.string() }).optional(),
  /** A plain sentence. `{app}` is a placeholder for the app's name, so that a page can style it. */
  sentence: z.string(),
  /** Further facts, each a few words: a token's permissions, and its last characters. */
  facts: z.array(z.string()),
  /** The path of the subject's page, if the subject still exists. */
  href: z.string().optional(),
  /** The ID of the event's subject. */
  subject: z.string(),
  /**
   * The subject's text. For a question or a notification, at most 200 characters of the app's own
   * words. For a linked account, the owner's name for it, or else its address.
   */
  about: z.string().optional(),
  /** All recorded data. */
  data: z.record(z.string(), z.unknown()),
});
export type ActivityItem = z.output<typeof ActivityItem>;

/**
 * At most 50 events. `next` is the cursor for older events. `reached`: the time of the oldest event
 * that a stopped search read, in epoch milliseconds.
 */
export const ActivityPage = z.object({
  items: z.array(ActivityItem),
  next: z.string().optional(),
  reached: z.number().int().optional(),
});
export type ActivityPage = z.output<typeof ActivityPage>;

/** The filter of the Activity page. */
export const ActivityFilter = z.object({
  appId: idFilter("app"),
  kind: optionalParam(ActivityKind),
  subject: optionalParam(z.string().regex(/^[a-z]{3}_[0-9a-v]{32}$/)),
  /** Words to search for in the event's sentence, app, subject or details. */
  text: wordsFilter,
  from: dayFilter,
  to: dayFilter,
  /** The ID of the last event on the previous page. */
  before: optionalParam(z.string().regex(/^\d{1,18}$/)),
});
export type ActivityFilter = z.input<typeof ActivityFilter>;

type Actor = ActivityItem["actor"];
/** An event's data. */
export type EventData = Record<string, unknown>;

/** The description of one event type. `about`: the page of the event's subject. */
export type EventDescription = {
  kind: ActivityKind;
  actor: Actor | ((data: EventData) => Actor);
  sentence: string | ((data: EventData) => string);
  about?: "approval" | "notifications" | "app" | "registration" | "settings" | "integrations";
};

/** Returns a function that describes event types of one kind. */
export const describes =
  (kind: ActivityKind, about?: EventDescription["about"]) =>
  (actor: EventDescription["actor"], sentence: EventDescription["sentence"]): EventDescription => ({
    kind,
    actor,
    sentence,
    ...(about && { about }),
  });
