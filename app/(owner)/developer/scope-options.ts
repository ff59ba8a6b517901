import type { DeclaredScope } from "@/components/apps/scope-fields";
import type { DeclaredScopes } from "@/lib/apps/schema";
import { scopeNames, scopes, sensitiveScopes } from "@/lib/scopes";

/** All scopes in the format of the form, with the purposes that an app declared. */
export const scopeFormEntries = (declared: DeclaredScopes): DeclaredScope[] =>
  scopeNames.map((scope) => {
    const purpose = declared[scope]?.purpose;
    return {
      scope,
      sentence: scopes[scope].sentence,
      sensitive: sensitiveScopes.has(scope),
      requested: declared[scope] !== undefined,
      required: declared[scope]?.required ?? false,
      ...(purpose !== undefined && { purpose }),
    };
  });
