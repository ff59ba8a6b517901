import type { Resource } from "@/lib/access/resources";
import type { AppActor } from "@/lib/actor";
import { type Unauthorized, unauthorized } from "@/lib/errors";
import { hashSecret, isSecret } from "@/lib/keys/crypto";
import type { Scope } from "@/lib/scopes";

/**
 * The app behind an Authorization header (RFC 6750 section 2.1; the scheme in any case, one or more spaces). Who it is
 * stays open until its first statement; text that cannot be a token of ours is refused here, without a query.
 * @throws {AppError} 401
 */
export function appFromHeader(header: string | undefined, needs: Scope | null, resource: Resource): AppActor {
  const token = /^bearer +([\w.~+/-]{1,200}=*)$/i.exec(header ?? "")?.[1];
  if (token === undefined || !isSecret(token, ["at", "pat"])) throw notOurs(header);
  return { kind: "app", tokenHash: hashSecret(token), needs, resource };
}

/** What is wrong with a header, as can be seen without knowing any token. */
function notOurs(header = ""): Unauthorized {
  const [, scheme, rest] = /^\s*(\S*)\s*(.*)$/s.exec(header) as unknown as [string, string, string];
  if (scheme === "") return unauthorized(false, "No token was sent. Send Authorization: Bearer <token>.");
  if (scheme.toLowerCase() !== "bearer")
    return unauthorized(
      false,
      "The Authorization header does not begin with Bearer. Send Authorization: Bearer <token>.",
    );
  // As programs write a variable that is not set.
  if (["", "null", "undefined", "None"].includes(rest.trim()))
    return unauthorized(true, "There is no token after Bearer. Is the variable it comes from empty?");
  return unauthorized(
    true,
    "This is not an access token or a personal token, or part of it is missing. Copy all of it: it begins with csn_.",
  );
}
