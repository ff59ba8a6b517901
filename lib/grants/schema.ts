import { z } from "zod";
import { AppKind } from "@/lib/apps/schema";
import { type Scope, scopeNames } from "@/lib/scopes";
import { text } from "@/lib/text/text";

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
  lastUsedAt: Time.optional(),
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
  /** What it said it will ask for and does not have. */
  wanted: z.array(ScopeName),
  integrationIds: z.array(z.string()),
  /** Those that work now, newest first. */
  tokens: z.array(TokenSummary),
  /** Whether it has not been used for 90 days. */
  idle: z.boolean(),
});
export type ConnectedApp = z.output<typeof ConnectedApp>;

/** An app that the owner no longer lets in. */
export const EndedApp = z.object({
  clientId: z.string(),
  name: z.string(),
  endedAt: Time,
  /** The owner took it back, its access expired, or the app is gone. */
  how: z.enum(["revoked", "expired", "deleted"]),
});
export type EndedApp = z.output<typeof EndedApp>;

/** What about an app in the last seven days looks strange. */
export const Trouble = z.object({
  /** Calls refused for their number. */
  tooMany: z.number().int(),
  /** Calls with a token that had ended. */
  deadToken: z.number().int(),
  /** Times that something used up was shown again, as a thief would. */
  reused: z.number().int(),
  /** Times that its owner was told that somebody else may renew its token beside it. */
  shared: z.number().int(),
});
export type Trouble = z.output<typeof Trouble>;

/** What there is to know about an app when one decides what it may do. */
export const AppFacts = z.object({
  /** Questions in the last 30 days; 1,000 stands for that many or more. */
  asked: z.number().int(),
  /** The owner's answers among them, and half of them took no longer than that, in milliseconds. */
  answered: z.number().int(),
  medianMs: z.number().optional(),
  /** Types of its notifications, by name. */
  types: z.array(z.string()),
  /** A consent request of this owner that is still open. */
  openRequest: z.string().optional(),
});
export type AppFacts = z.output<typeof AppFacts>;

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
  /** Which of our resources it opens (RFC 8707): the API, or its tools at /api/mcp. */
  resource: z.enum(["api", "mcp"], "Must be api or mcp").default("api"),
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
  /** Whether the app says that it cannot work without: ticked, and left out only by denying the whole. */
  required: z.boolean(),
  /** Why, in the app's own words. */
  purpose: z.string().optional(),
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
  mutedTypes: z.array(z.string().max(128)).max(100),
  /** A key or click chooses, and a second one sends. */
  alwaysConfirm: z.boolean(),
  /** What an alert about it says where others may read it; null for what the owner chose for all. */
  lockScreen: z.enum(["private", "full"]).nullable(),
});
export type AppChoice = z.output<typeof AppChoice>;

/** One request that an app made on the owner's account. */
export const ApiRequest = z.object({
  /** What `X-Request-Id` said. */
  id: z.string(),
  at: Time,
  app: z.object({ appId: z.string(), name: z.string() }),
  method: z.string(),
  /** As declared, without ids and query; the tool's name where the method is MCP. */
  path: z.string(),
  status: z.number().int(),
  ms: z.number().int(),
  /** What the service did not take as it was sent. */
  warnings: z.array(z.string()),
  /** How many more of its kind are not listed one by one. */
  more: z.number().int(),
});
export type ApiRequest = z.output<typeof ApiRequest>;

/** At most 50; `next` is where the older ones begin. */
export type ApiRequestPage = { items: ApiRequest[]; next?: string };

/** What to show of them. What is no filter of ours counts as absent. */
export const RequestFilter = z.object({
  appId: z
    .string()
    .regex(/^app_[0-9a-v]{32}$/)
    .optional()
    .catch(undefined),
  /** Only those answered with 4xx. */
  refused: z.boolean().optional().catch(undefined),
  /** The id of the request to go on after. */
  before: z
    .string()
    .regex(/^req_[0-9a-z]{1,40}$/)
    .optional()
    .catch(undefined),
});
export type RequestFilter = z.input<typeof RequestFilter>;
