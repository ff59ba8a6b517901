import { env } from "@/lib/config/env";
import { type AppError, Forbidden, Unauthorized } from "@/lib/errors";
import { usualScopes } from "@/lib/scopes";
import type { Resource } from "./resource-indicator";

/** The scopes that a new client should request first. */
const firstScopes: Record<Resource, string> = { api: "approvals:read", mcp: usualScopes.join(" ") };

/**
 * Returns the WWW-Authenticate header for our 401 and 403 errors; undefined for other errors. The
 * header describes the error only if a token was sent (RFC 6750 section 3). The header's metadata
 * URL is absolute, because clients ignore relative ones (RFC 9728 section 5.1).
 */
export function bearerChallenge(error: AppError, resource: Resource = "api"): string | undefined {
  if (error instanceof Unauthorized)
    return error.sent
      ? challenge(resource, firstScopes[resource], "invalid_token", error.why)
      : challenge(resource, firstScopes[resource]);
  if (error instanceof Forbidden) return challenge(resource, error.scope, "insufficient_scope");
  return undefined;
}

const challenge = (resource: Resource, scope: string, error?: string, why?: string) =>
  [
    'Bearer realm="countersign"',
    ...(error ? [`error="${error}"`] : []),
    ...(why ? [`error_description="${why}"`] : []),
    `scope="${scope}"`,
    `resource_metadata="${env().publicUrl}/.well-known/oauth-protected-resource/${resource === "mcp" ? "api/mcp" : "api"}"`,
  ].join(", ");
