import { z } from "zod";
import { purposeField } from "@/components/apps/scope-fields";
import type { DeclaredScopes } from "@/lib/apps/schema";
import { isScope, scopeNames } from "@/lib/scopes";

const lines = z.string().transform((text) =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean),
);

/** The fields of `ScopeFields`. */
const declaring = {
  scopes: z.array(z.string()),
  required: z.array(z.string()),
  ...Object.fromEntries(scopeNames.map((scope) => [purposeField(scope), z.string().trim().optional()])),
};

/** What they say, of the scopes that are ticked. A purpose that is left empty is none. */
function declaredBy(form: { scopes: string[]; required: string[] }): DeclaredScopes {
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

/** What the developer page's forms carry; what the values may be is decided where they are used. */
export const Registration = z
  .object({ name: z.string(), kind: z.enum(["confidential", "public"]), redirectUris: lines, ...declaring })
  .transform(({ name, kind, redirectUris, ...declared }) => ({
    name,
    redirectUris,
    public: kind === "public",
    declaredScopes: declaredBy(declared),
  }));

export const Declaration = z
  .object({ clientId: z.string(), ...declaring })
  .transform(({ clientId, ...declared }) => ({ clientId, declaredScopes: declaredBy(declared) }));

export const OneApp = z.object({ clientId: z.string() });
export const Nothing = z.object({});
export const Redirects = z.object({ clientId: z.string(), redirectUris: lines });
