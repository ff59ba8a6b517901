import { z } from "zod";
import { AppKind } from "@/lib/apps/schema";
import { type Scope, scopeNames } from "@/lib/scopes";
import { text } from "@/lib/text";

export const ScopeName = z.enum(scopeNames as [Scope, ...Scope[]], "Not a scope");

/** Epoch milliseconds. */
const Time = z.number().int();

/** A token as its owner sees it: never more of it than its end. */
export const TokenSummary = z.object({
  id: z.string(),
  kind: z.enum(["access", "personal"]),
  name: z.string().optional(),
  last4: z.string(),
  scopes: z.array(ScopeName),
  createdAt: Time,
  expiresAt: Time,
});
export type TokenSummary = z.output<typeof TokenSummary>;

/** An app that the owner let in, with what it may do. */
export const ConnectedApp = z.object({
  clientId: z.string(),
  name: z.string(),
  kind: AppKind,
  /** The host of the document that a metadata app is known by: what is certain about it. */
  clientHost: z.string().optional(),
  registeredAt: Time,
  /** Where its answers go: a host, or the app's own scheme. Absent when it has no redirect address. */
  host: z.string().optional(),
  grantedAt: Time,
  lastUsedAt: Time.optional(),
  expiresAt: Time.optional(),
  scopes: z.array(z.object({ scope: ScopeName, grantedAt: Time, lastUsedAt: Time.optional() })),
  integrationIds: z.array(z.string()),
  /** Those that work now, newest first. */
  tokens: z.array(TokenSummary),
});
export type ConnectedApp = z.output<typeof ConnectedApp>;

export const NewPersonalToken = z.object({
  clientId: z.string().max(100),
  scopes: z
    .array(ScopeName)
    .min(1, "Choose at least one scope")
    .transform((scopes) => [...new Set(scopes)]),
  days: z.coerce
    .number("Must be a number of days")
    .int()
    .min(1, "Must be at least 1 day")
    .max(366, "Must be at most 366 days")
    .default(90),
  /** What the owner knows it by; blank is none. */
  name: z
    .string()
    .trim()
    .pipe(text({ max: 100, min: 0 }))
    .optional(),
});
export type NewPersonalToken = z.input<typeof NewPersonalToken>;

const AskedScope = z.object({
  scope: ScopeName,
  sentence: z.string(),
  grantedAt: Time.optional(),
  sensitive: z.boolean(),
});

/** Everything the consent page shows. */
export const ConsentView = z.object({
  id: z.string(),
  /** Sent back with the decision: ties the form to this owner, session and request. */
  csrf: z.string(),
  app: z.object({
    clientId: z.string(),
    name: z.string(),
    kind: AppKind,
    /** The host of the document that a metadata app is known by: what is certain about it. */
    clientHost: z.string().optional(),
    registeredAt: Time,
    /** The name of the owner who registered it by hand. */
    registeredBy: z.string().optional(),
    yours: z.boolean().optional(),
    /** Whether another app that the owner may know has this name, or one that looks like it. */
    namesake: z.boolean(),
  }),
  redirectHost: z.string(),
  /** Whether the answer goes to a program on the owner's computer rather than to a website. */
  localApp: z.boolean(),
  returnUrlKind: z.enum(["https", "loopback", "private"]),
  /** Least risky first. `grantedAt` where the owner gave it before: shown ticked. */
  requested: z.array(AskedScope),
  /** Given before and not asked for now: untouched by this decision. */
  alreadyGranted: z.array(z.object({ scope: ScopeName, sentence: z.string(), grantedAt: Time })),
  integrations: z.array(
    z.object({
      id: z.string(),
      provider: z.string(),
      email: z.string(),
      label: z.string().optional(),
      shared: z.boolean(),
    }),
  ),
  firstTime: z.boolean(),
  /** When the present grant ends, if it does. */
  grantExpiresAt: Time.optional(),
});
export type ConsentView = z.output<typeof ConsentView>;

/** What there is to decide, however the app asked. */
export const Offer = ConsentView.omit({ redirectHost: true, localApp: true, returnUrlKind: true });
export type Offer = z.output<typeof Offer>;

/** What a device asked for, or what became of it. `userCode` is what the device shows too. */
export const DeviceRequest = z.discriminatedUnion("state", [
  Offer.extend({ state: z.literal("open"), userCode: z.string() }),
  z.object({ state: z.enum(["allowed", "denied"]), app: z.object({ clientId: z.string(), name: z.string() }) }),
]);
export type DeviceRequest = z.output<typeof DeviceRequest>;

export const ConsentDecision = z.object({
  csrf: z.string().max(200),
  allow: z.boolean(),
  scopes: z.array(z.string().max(100)).max(100).default([]),
  integrationIds: z.array(z.string().max(100)).max(1000).default([]),
  /** Until removed unless told. */
  days: z.union([z.literal(1), z.literal(30), z.literal(90)]).optional(),
});
export type ConsentDecision = z.input<typeof ConsentDecision>;

/** What an owner chose about one app. Apps never learn it. */
export const AppChoice = z.object({
  /** Its questions wait in the inbox without alerting or counting. */
  questionsMuted: z.boolean(),
  notificationsMuted: z.boolean(),
  /** Types of its notifications that are muted. */
  mutedTypes: z.array(z.string().max(64)).max(100),
  /** A key or click chooses, and a second one sends. */
  alwaysConfirm: z.boolean(),
  /** What an alert about it says where others may read it; null for what the owner chose for all. */
  lockScreen: z.enum(["private", "full"]).nullable(),
});
export type AppChoice = z.output<typeof AppChoice>;
