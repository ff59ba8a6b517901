import type { Resource } from "@/lib/access/resource-indicator";
import type { AppActor } from "@/lib/actor";
import { type Unauthorized, unauthorized } from "@/lib/errors";
import { hashSecret, isSecret } from "@/lib/keys/secret-tokens";
import type { Scope } from "@/lib/scopes";

/**
 * Returns the app for an Authorization header (RFC 6750 section 2.1). The scheme may have any case,
 * and one or more spaces follow it. Text that can't be one of our tokens is rejected here, without
 * a query. A token is authorized later, by the app's first statement.
 * @throws {AppError} 401
 */
export function appFromHeader(header: string | undefined, needs: Scope | null, resource: Resource): AppActor {
  const token = /^bearer +([\w.~+/-]{1,200}=*)$/i.exec(header ?? "")?.[1];
  if (token === undefined || !isSecret(token, ["at", "pat"])) throw notOurs(header);
  return { kind: "app", tokenHash: hashSecret(token), needs, resource };
}

/** Returns why a header cannot carry one of our tokens, judged by its format. */
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
