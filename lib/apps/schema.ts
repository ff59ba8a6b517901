import { z } from "zod";
import { isScope, type Scope, scopeNames, sensitiveScopes } from "@/lib/scopes";
import { refuse } from "@/lib/text/text-schema";
import { nameProblem, sentenceProblem } from "./app-name-checks";
import { redirectProblem } from "./redirect-uris";

/** The name that owners see. For its rules, see app-name-checks.ts. */
export const AppName = z.string().check(refuse(nameProblem));

/**
 * Allowed redirect URIs, compared as `redirectAllowed` describes. An app that uses only personal
 * tokens needs none.
 */
export const RedirectUris = z
  .array(z.string().check(refuse(redirectProblem)))
  .max(10, "Must contain at most 10 addresses")
  .refine((uris) => new Set(uris).size === uris.length, "Must not repeat an address");

/** Maximum length of a scope's purpose. */
export const purposeLength = 200;

const DeclaredScope = z.object({
  /** The app's own explanation, shown to owners in quotes. */
  purpose: z
    .string()
    .check(refuse((value) => sentenceProblem(value, purposeLength)))
    .optional(),
  /** Whether the app needs the scope to work. */
  required: z.boolean().default(false),
});

/**
 * The scopes that an app will request. The consent screen shows them, but declaring a scope does
 * not grant it. Sensitive scopes can't be required, so the owner can always leave them out.
 */
export const DeclaredScopes = z
  .partialRecord(z.enum(scopeNames as [Scope, ...Scope[]]), DeclaredScope)
  .check(({ value, issues }) => {
    for (const scope of sensitiveScopes) {
      if (!value[scope]?.required) continue;
      issues.push({ code: "custom", path: [scope], message: `${scope} cannot be a required scope`, input: value });
    }
  });
export type DeclaredScopes = z.output<typeof DeclaredScopes>;

/** Returns the stored declaration. Scopes that this version does not know are dropped. */
export const readDeclared = (kept: unknown): DeclaredScopes =>
  DeclaredScopes.parse(Object.fromEntries(Object.entries(kept ?? {}).filter(([scope]) => isScope(scope))));

export const NewApp = z.object({
  name: AppName,
  redirectUris: RedirectUris.default([]),
  /**
   * Whether the app runs where it can't keep a secret, such as on a command line, a web page or a
   * phone.
   */
  public: z.boolean().default(false),
  declaredScopes: DeclaredScopes.default({}),
});
export type NewApp = z.input<typeof NewApp>;

/** How the app was registered (see the comment at the top of apps.ts). */
export type AppKind = "manual" | "dynamic" | "metadata" | "test";

/** An app in its owner's view. Times are in epoch milliseconds. */
export type RegisteredApp = {
  clientId: string;
  name: string;
  redirectUris: string[];
  public: boolean;
  secretLast4?: string;
  secretUsedAt?: number;
  /** The previous secret. Present while it still works. */
  oldSecret?: { last4: string; until: number; usedAt?: number };
  declaredScopes: DeclaredScopes;
  createdAt: number;
};
