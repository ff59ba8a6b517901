import { env } from "@/lib/env";
import { type AppError, Forbidden, Unauthorized } from "@/lib/errors";
import type { Scope } from "@/lib/scopes";

/** What a client that knows nothing yet should ask for first. */
const firstScope: Scope = "approvals:read";

/**
 * The WWW-Authenticate value that goes with a 401 or 403 of ours, undefined for any other error: RFC 6750 section 3 (the
 * error is named only when a token was sent) and RFC 9728 section 5.1 (an absolute address, since clients ignore others).
 */
export function bearerChallenge(error: AppError): string | undefined {
  if (error instanceof Unauthorized) return challenge(error.sent ? "invalid_token" : undefined, firstScope);
  if (error instanceof Forbidden) return challenge("insufficient_scope", error.scope);
  return undefined;
}

const challenge = (error: string | undefined, scope: string) =>
  [
    'Bearer realm="countersign"',
    ...(error ? [`error="${error}"`] : []),
    `scope="${scope}"`,
    `resource_metadata="${env().publicUrl}/.well-known/oauth-protected-resource/api"`,
  ].join(", ");
