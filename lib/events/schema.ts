import { z } from "zod";
import { dayFilter, idFilter, optionalParam, wordsFilter } from "@/lib/text/filters";

/** What the activity page can be narrowed to, in the order of its choice. */
export const ActivityKind = z.enum([
  "permissions",
  "tokens",
  "trouble",
  "answers",
  "notifications",
  "sign-ins",
  "apps",
  "accounts",
]);
export type ActivityKind = z.output<typeof ActivityKind>;

/** One thing that happened, as its owner reads it. */
export const ActivityItem = z.object({
  /** Later ones are greater; a number as text, since it may be too large for one. */
  id: z.string(),
  /** Epoch milliseconds. */
  at: z.number().int(),
  type: z.string(),
  kind: ActivityKind,
  /** Who did it: the owner, the app, or the service by itself. */
  actor: z.enum(["you", "app", "service"]),
  app: z.object({ appId: z.string(), name: z.string() }).optional(),
  /** A plain sentence. `{app}` stands for the app's name, so that a page can set it apart. */
  sentence: z.string(),
  /** What else is known, each a few words: what a token opens, and its end. */
  facts: z.array(z.string()),
  /** The page of what it concerns, if there is one now. */
  href: z.string().optional(),
  /** The id of what it concerns. */
  subject: z.string(),
  /**
   * The first words of that, where it is a question or a notification: the app's own text, at most 200 characters. Of a
   * linked account, what its owner calls it, else its address.
   */
  about: z.string().optional(),
  /** All that was written down besides. */
  data: z.record(z.string(), z.unknown()),
});
export type ActivityItem = z.output<typeof ActivityItem>;

/**
 * At most 50; `next` is where the older ones begin. A search that stopped before the beginning says so: `reached` is the
 * time of the oldest event it looked at, in epoch milliseconds.
 */
export const ActivityPage = z.object({
  items: z.array(ActivityItem),
  next: z.string().optional(),
  reached: z.number().int().optional(),
});
export type ActivityPage = z.output<typeof ActivityPage>;

/** What to show. */
export const ActivityFilter = z.object({
  appId: idFilter("app"),
  kind: optionalParam(ActivityKind),
  subject: optionalParam(z.string().regex(/^[a-z]{3}_[0-9a-v]{32}$/)),
  /** Words that the event has to have, in what it says, its app, its subject or its details. */
  text: wordsFilter,
  from: dayFilter,
  to: dayFilter,
  /** The id of the event to go on after. */
  before: optionalParam(z.string().regex(/^\d{1,18}$/)),
});
export type ActivityFilter = z.input<typeof ActivityFilter>;

type Actor = ActivityItem["actor"];
/** What is kept with an event. */
type Data = Record<string, unknown>;

/** How one type of event reads. `about`: which page it concerns. */
export type EventDescription = {
  kind: ActivityKind;
  by: Actor | ((data: Data) => Actor);
  says: string | ((data: Data) => string);
  about?: "approval" | "notifications" | "app" | "registration" | "settings" | "integrations";
};

/** The words of types of one kind, about one page: by whom each is done, and what it says. */
export const describes =
  (kind: ActivityKind, about?: EventDescription["about"]) =>
  (by: EventDescription["by"], says: EventDescription["says"]): EventDescription => ({
    kind,
    by,
    says,
    ...(about && { about }),
  });
