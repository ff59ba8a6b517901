import { z } from "zod";
import type { RedirectKind } from "@/lib/apps/redirect-uris";
import type { AppKind } from "@/lib/apps/schema";
import { type Scope, scopeNames } from "@/lib/scopes";
import { text } from "@/lib/text/text-schema";
import { idFilter, optionalParam } from "@/lib/text/url-filters";

export const ScopeName = z.enum(scopeNames as [Scope, ...Scope[]], "Must be a scope of this service");

/** A token as its owner sees it, with only its last characters. Times are in epoch milliseconds. */
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

/** A connected app with its permissions. */
export type ConnectedApp = {
  clientId: string;
  name: string;
  /** The app's number among the owner's apps, which selects its color. */
  hue: number;
  kind: AppKind;
  /**
   * The host of a metadata app's document; absent for other kinds of app. This host is the only
   * verified fact about such an app.
   */
  clientHost?: string;
  registeredAt: number;
  /**
   * The host or custom scheme of the app's redirect URI. Absent for an app without a redirect URI.
   */
  host?: string;
  grantedAt: number;
  lastUsedAt?: number;
  expiresAt?: number;
  frozen?: true;
  scopes: { scope: Scope; grantedAt: number; lastUsedAt?: number }[];
  /** Scopes that the app declared but does not have. */
  wanted: Scope[];
  integrationIds: string[];
  /** Live tokens, newest first, at most 100. */
  tokens: TokenSummary[];
  /** Whether the app has been unused for 90 days. */
  idle: boolean;
};

/** An app that is no longer connected: revoked, expired or deleted. */
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
  /** The resource that the token is for (RFC 8707): the API, or the tools at /api/mcp. */
  resource: z.enum(["api", "mcp"], "Must be api or mcp").default("api"),
  /** The owner's name for the token. A blank name means none. */
  name: z
    .string()
    .trim()
    .pipe(text({ max: 100, min: 0 }))
    .optional(),
});
export type NewPersonalToken = z.input<typeof NewPersonalToken>;

/** An app's request for access, which the owner decides on the consent page or the device page. */
export type ConsentOffer = {
  id: string;
  /**
   * A token that the form returns with the decision. It is bound to this owner, session and
   * request.
   */
  csrf: string;
  app: Pick<ConnectedApp, "clientId" | "name" | "kind" | "clientHost" | "registeredAt"> & {
    /**
     * The name of the owner who registered the app; absent for self-registered and metadata apps.
     */
    registeredBy?: string;
    yours?: boolean;
    /** Whether another app that the owner may know has this name or a similar one. */
    namesake: boolean;
  };
  /**
   * The requested scopes, least risky first. `grantedAt` is set if the owner granted the scope
   * before; the scope is then preselected.
   */
  requested: {
    scope: Scope;
    sentence: string;
    grantedAt?: number;
    sensitive: boolean;
    /**
     * Whether the app requires the scope. A required scope is preselected, and the owner can refuse
     * it only with the whole request.
     */
    required: boolean;
    /** The app's own explanation of the scope; absent if it gave none. */
    purpose?: string;
  }[];
  /**
   * Scopes that were granted before and are not requested now. The decision doesn't change them.
   */
  alreadyGranted: { scope: Scope; sentence: string; grantedAt: number }[];
  integrations: { id: string; provider: string; email: string; label?: string; shared: boolean }[];
  firstTime: boolean;
  /** When the current grant ends, if ever. */
  grantExpiresAt?: number;
};

/** The content of the consent page. */
export type ConsentView = ConsentOffer & {
  redirectHost: string;
  /** Whether the result goes to a program on the owner's computer instead of a website. */
  localApp: boolean;
  returnUrlKind: RedirectKind;
};

/**
 * A device's request for access, or its outcome. The device shows the same `userCode`, so that the
 * owner can compare them.
 */
export type DeviceRequest =
  | (ConsentOffer & { state: "open"; userCode: string })
  | { state: "allowed" | "denied"; app: { clientId: string; name: string } };

export const ConsentDecision = z.object({
  csrf: z.string().max(200),
  allow: z.boolean(),
  scopes: z.array(z.string().max(100)).max(100).default([]),
  integrationIds: z.array(z.string().max(100)).max(1000).default([]),
  /** The number of days until the access ends. By default it never ends. */
  days: z.union([z.literal(1), z.literal(30), z.literal(90)]).optional(),
});
export type ConsentDecision = z.input<typeof ConsentDecision>;

/** The owner's preferences for one app. Apps never see them. */
export const AppPreferences = z.object({
  /** Whether the app's questions cause no alerts and are left out of counts. */
  questionsMuted: z.boolean(),
  notificationsMuted: z.boolean(),
  /** The app's muted notification types. */
  mutedTypes: z.array(z.string().max(128)).max(100),
  /**
   * Whether answers need confirmation. A key or click then selects an answer, and a second one
   * sends it.
   */
  alwaysConfirm: z.boolean(),
  /** Whether the owner's passkey must sign every answer. Can be turned on only with a passkey. */
  signAnswers: z.boolean(),
  /** Whether the passkey must sign every answer in a lens of another origin. Also needs a passkey. */
  signInLens: z.boolean(),
  /** How much an alert about the app shows; null to use the owner's general setting. */
  lockScreen: z.enum(["private", "full"]).nullable(),
});
export type AppPreferences = z.output<typeof AppPreferences>;

/** A request that an app made with the owner's grant. */
export type ApiRequest = {
  /** The value of `X-Request-Id`. */
  id: string;
  at: number;
  app: { appId: string; name: string };
  method: string;
  /** The declared path, without IDs and query. For MCP, the tool's name. */
  path: string;
  status: number;
  ms: number;
  /** The problems that caused a rejection. */
  warnings: string[];
  /** The number of similar requests that are not listed individually. */
  more: number;
};

/** At most 50 requests. `next` is the cursor for older ones. */
export type ApiRequestPage = { items: ApiRequest[]; next?: string };

/** Filters for the list of requests. */
export const RequestFilter = z.object({
  appId: idFilter("app"),
  /** Whether to return only requests with a 4xx response. */
  refused: optionalParam(z.boolean()),
  /** The ID of the last request on the previous page. */
  before: optionalParam(z.string().regex(/^req_[0-9a-z]{1,40}$/)),
});
export type RequestFilter = z.input<typeof RequestFilter>;
