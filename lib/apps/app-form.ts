import { z } from "zod";
import { isScope, scopeNames } from "@/lib/scopes";
import type { DeclaredScopes } from "./schema";

/* What owners type about an app of theirs. What the values may be is decided where they are used. */

/** One in each line. */
export const lines = z.string().transform((text) =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean),
);

/** As components/apps/scope-fields.tsx calls it. */
const purposeField = (scope: string) => `declaredScopes.${scope}.purpose`;

/** The fields of `ScopeFields`. */
export const declaring = {
  scopes: z.array(z.string()),
  required: z.array(z.string()),
  ...Object.fromEntries(scopeNames.map((scope) => [purposeField(scope), z.string().trim().optional()])),
};

/** What they say, of the scopes that are ticked. A purpose that is left empty is none. */
export function declaredBy(form: { scopes: string[]; required: string[] }): DeclaredScopes {
  const purposes = form as Record<string, unknown>;
  return Object.fromEntries(
    form.scopes.filter(isScope).map((scope) => {
      const purpose = purposes[purposeField(scope)];
      return [
        scope,
        { required: form.required.includes(scope), ...(typeof purpose === "string" && purpose && { purpose }) },
      ];
    }),
  );
}
