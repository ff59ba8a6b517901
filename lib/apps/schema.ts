import { z } from "zod";
import { isScope, type Scope, scopeNames, sensitiveScopes } from "@/lib/scopes";
import { refuse } from "@/lib/text/text";
import { nameProblem, sentenceProblem } from "./names";
import { redirectProblem } from "./redirects";

/** What owners read when the app asks them something: see names.ts for what it may look like. */
export const AppName = z.string().check(refuse(nameProblem));

/** Where the owner's browser may be sent with the answer, each compared exactly; none is fine for personal tokens alone. */
export const RedirectUris = z
  .array(z.string().check(refuse(redirectProblem)))
  .max(10, "Must be at most 10 addresses")
  .refine((uris) => new Set(uris).size === uris.length, "Must not repeat an address");

/** Most characters of why an app asks for a scope. */
export const purposeLength = 200;

const DeclaredScope = z.object({
  /** Why, in the app's own words; owners read it in quotes. */
  purpose: z
    .string()
    .check(refuse((value) => sentenceProblem(value, purposeLength)))
    .optional(),
  /** Whether it cannot work without. */
  required: z.boolean().default(false),
});

/**
 * What an app says it will ask for. It is told on the consent screen and gives nothing by itself. What is sensitive is never
 * required: that stays the owner's to leave out.
 */
export const DeclaredScopes = z
  .partialRecord(z.enum(scopeNames as [Scope, ...Scope[]]), DeclaredScope)
  .check(({ value, issues }) => {
    for (const scope of sensitiveScopes) {
      if (!value[scope]?.required) continue;
      issues.push({ code: "custom", path: [scope], message: `${scope} cannot be required`, input: value });
    }
  });
export type DeclaredScopes = z.output<typeof DeclaredScopes>;

/** What is kept of it. Scopes of another version are left out. */
export const readDeclared = (kept: unknown): DeclaredScopes =>
  DeclaredScopes.parse(Object.fromEntries(Object.entries(kept ?? {}).filter(([scope]) => isScope(scope))));

export const NewApp = z.object({
  name: AppName,
  redirectUris: RedirectUris.default([]),
  /** Whether it runs where it cannot keep a secret: a command line, a page, a phone. */
  public: z.boolean().default(false),
  declaredScopes: DeclaredScopes.default({}),
});
export type NewApp = z.input<typeof NewApp>;

/** How we know of an app: see the head of apps.ts. */
export type AppKind = "manual" | "dynamic" | "metadata" | "test";

/** An app as its registrar sees it. Times in epoch milliseconds. */
export type RegisteredApp = {
  clientId: string;
  name: string;
  redirectUris: string[];
  public: boolean;
  secretLast4?: string;
  secretUsedAt?: number;
  /** The secret before, while it still works. */
  oldSecret?: { last4: string; until: number; usedAt?: number };
  declaredScopes: DeclaredScopes;
  createdAt: number;
};
