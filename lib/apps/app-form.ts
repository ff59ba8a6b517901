import { z } from "zod";
import { isScope, scopeNames } from "@/lib/scopes";
import type { DeclaredScopes } from "./schema";

/* Parses the forms for an owner's app. Other modules validate the values where they use them. */

/** Splits a text field into its lines. Each line is one value. */
export const lines = z.string().transform((text) =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean),
);

/** Returns the name of a scope's purpose field, as in components/apps/scope-fields.tsx. */
const purposeField = (scope: string) => `declaredScopes.${scope}.purpose`;

/** The form fields of the component `ScopeFields`. */
export const declaring = {
  scopes: z.array(z.string()),
  required: z.array(z.string()),
  ...Object.fromEntries(scopeNames.map((scope) => [purposeField(scope), z.string().trim().optional()])),
};

/** Returns the scopes that a form declares. An empty purpose is dropped. */
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
