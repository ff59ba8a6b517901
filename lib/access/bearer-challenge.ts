import { env } from "@/lib/config/env";
import { type AppError, Forbidden, Unauthorized } from "@/lib/errors";
import { usualScopes } from "@/lib/scopes";
import type { Resource } from "./resources";

/** What a client that knows nothing yet should ask for first. */
const firstScopes: Record<Resource, string> = { api: "approvals:read", mcp: usualScopes.join(" ") };

/**
 * The WWW-Authenticate value that goes with a 401 or 403 of ours, undefined for any other error: RFC 6750 section 3 (the
 * error is named and described only when a token was sent) and RFC 9728 section 5.1 (an absolute address, since clients ignore others).
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
