import type { DeclaredScopes } from "@/lib/apps/schema";
import type { Offer } from "@/lib/grants/schema";
import { sha256 } from "@/lib/keys/crypto";
import { scopeNames, scopes, sensitiveScopes } from "@/lib/scopes";

/** The scopes that an app asked for, least risky first, with our words and the app's own. */
export const describeScopes = (asked: readonly string[], declared: DeclaredScopes) =>
  scopeNames
    .filter((scope) => asked.includes(scope))
    .map((scope) => ({
      scope,
      sentence: scopes[scope].sentence,
      sensitive: sensitiveScopes.has(scope),
      required: declared[scope]?.required ?? false,
      ...(declared[scope]?.purpose !== undefined && { purpose: declared[scope].purpose }),
    }));

/** Characters of a `shownHash`. */
export const shownLength = 43;

/**
 * A hash of what a page showed of the app and of what it asked for: name, origin, warnings, and the words of each scope
 * (SHA-256 in base64url). It goes with the decision, so that nobody decides about an app that changed meanwhile.
 */
export const shownHash = (app: Offer["app"], asked: readonly string[], declared: DeclaredScopes): string =>
  sha256(JSON.stringify([app, describeScopes(asked, declared)])).toString("base64url");
