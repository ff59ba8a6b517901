import type { Resource } from "@/lib/access/resource-indicator";
import type { AppActor } from "@/lib/actor";
import { type Unauthorized, unauthorized } from "@/lib/errors";
import { hashSecret, isSecret } from "@/lib/keys/secret-tokens";
import type { Scope } from "@/lib/scopes";

/**
 * Returns the app for an Authorization header (RFC 6750 section 2.1). Rejects text that can't be
 * one of our tokens, without a query. The app's first statement authorizes the token later.
 * @throws {AppError} 401
 */
export function appFromHeader(header: string | undefined, needs: Scope | null, resource: Resource): AppActor {
  const token = /^bearer +([\w.~+/-]{1,200}=*)$/i.exec(header ?? "")?.[1];
  if (token === undefined || !isSecret(token, ["at", "pat"])) throw notOurs(header);
  return { kind: "app", tokenHash: hashSecret(token), needs, resource };
}

/** Returns an error that explains why a header contains none of our tokens. */
function notOurs(header = ""): Unauthorized {
  const [, scheme, rest] = /^\s*(\S*)\s*(.*)$/s.exec(header) as unknown as [string, string, string];
  if (scheme === "") return unauthorized(false, "The request has no token. Send Authorization: Bearer <token>.");
  if (scheme.toLowerCase() !== "bearer")
    return unauthorized(false, "The Authorization header must begin with Bearer. Send Authorization: Bearer <token>.");
  // Values that programs send when their token variable is not set.
  if (["", "null", "undefined", "None"].includes(rest.trim()))
    return unauthorized(
      true,
      "The Authorization header has no token after Bearer. Check that your token variable is set.",
    );
  return unauthorized(
    true,
    "The token is not a complete access token or personal token. Copy the whole token, which begins with csn_.",
  );
}
