import { z } from "zod";
import type { RedirectKind } from "@/lib/apps/redirects";
import type { AppKind } from "@/lib/apps/schema";
import { type Scope, scopeNames } from "@/lib/scopes";
import { idFilter, optionalParam } from "@/lib/text/filters";
import { text } from "@/lib/text/text";

export const ScopeName = z.enum(scopeNames as [Scope, ...Scope[]], "Not a scope");

/** A token as its owner sees it: never more of it than its end. Times here are epoch milliseconds. */
export type TokenSummary = {
  id: string;
  kind: "access" | "personal";
  name?: string;
  last4: string;
  scopes: Scope[];
  createdAt: number;
  lastUsedAt?: number;
  expiresAt: number;
};

/** An app that the owner let in, with what it may do. */
export type ConnectedApp = {
  clientId: string;
  name: string;
  /** Tells the owner's apps apart. */
  hue: number;
  kind: AppKind;
  /** The host of the document that a metadata app is known by: what is certain about it. */
  clientHost?: string;
  registeredAt: number;
  /** Where its answers go: a host, or the app's own scheme. Absent when it has no redirect address. */
  host?: string;
  grantedAt: number;
  lastUsedAt?: number;
  expiresAt?: number;
  scopes: { scope: Scope; grantedAt: number; lastUsedAt?: number }[];
  /** What it said it will ask for and does not have. */
  wanted: Scope[];
  integrationIds: string[];
  /** Those that work now, newest first. */
  tokens: TokenSummary[];
  /** Whether it has not been used for 90 days. */
  idle: boolean;
};

/** An app that the owner no longer lets in: they took it back, its access expired, or the app is gone. */
export type EndedApp = { clientId: string; name: string; endedAt: number; how: "revoked" | "expired" | "deleted" };

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

/** What there is to decide, however the app asked. */
export type ConsentOffer = {
  id: string;
  /** Sent back with the decision: ties the form to this owner, session and request. */
  csrf: string;
  app: Pick<ConnectedApp, "clientId" | "name" | "kind" | "clientHost" | "registeredAt"> & {
    /** The name of the owner who registered it by hand. */
    registeredBy?: string;
    yours?: boolean;
    /** Whether another app that the owner may know has this name, or one that looks like it. */
    namesake: boolean;
  };
  /** Least risky first. `grantedAt` where the owner gave it before: shown ticked. */
  requested: {
    scope: Scope;
    sentence: string;
    grantedAt?: number;
    sensitive: boolean;
    /** Whether the app says that it cannot work without: ticked, and left out only by denying the whole. */
    required: boolean;
    /** Why, in the app's own words. */
    purpose?: string;
  }[];
  /** Given before and not asked for now: untouched by this decision. */
  alreadyGranted: { scope: Scope; sentence: string; grantedAt: number }[];
  integrations: { id: string; provider: string; email: string; label?: string; shared: boolean }[];
  firstTime: boolean;
  /** When the present grant ends, if it does. */
  grantExpiresAt?: number;
};

/** Everything the consent page shows. */
export type ConsentView = ConsentOffer & {
  redirectHost: string;
  /** Whether the answer goes to a program on the owner's computer rather than to a website. */
  localApp: boolean;
  returnUrlKind: RedirectKind;
};

/** What a device asked for, or what became of it. `userCode` is what the device shows too. */
export type DeviceRequest =
  | (ConsentOffer & { state: "open"; userCode: string })
  | { state: "allowed" | "denied"; app: { clientId: string; name: string } };

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
export const AppPreferences = z.object({
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
export type AppPreferences = z.output<typeof AppPreferences>;

/** One request that an app made on the owner's account. */
export type ApiRequest = {
  /** What `X-Request-Id` said. */
  id: string;
  at: number;
  app: { appId: string; name: string };
  method: string;
  /** As declared, without ids and query; the tool's name where the method is MCP. */
  path: string;
  status: number;
  ms: number;
  /** What the service did not take as it was sent. */
  warnings: string[];
  /** How many more of its kind are not listed one by one. */
  more: number;
};

/** At most 50; `next` is where the older ones begin. */
export type ApiRequestPage = { items: ApiRequest[]; next?: string };

/** What to show of them. */
export const RequestFilter = z.object({
  appId: idFilter("app"),
  /** Only those answered with 4xx. */
  refused: optionalParam(z.boolean()),
  /** The id of the request to go on after. */
  before: optionalParam(z.string().regex(/^req_[0-9a-z]{1,40}$/)),
});
export type RequestFilter = z.input<typeof RequestFilter>;
