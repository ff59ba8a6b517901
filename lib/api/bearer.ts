import type { Resource } from "@/lib/access/resources";
import type { AppActor } from "@/lib/actor";
import { unauthorized } from "@/lib/errors";
import { hashSecret, isSecret } from "@/lib/keys/crypto";
import type { Scope } from "@/lib/scopes";

/**
 * The app behind an Authorization header (RFC 6750 section 2.1; the scheme in any case, one or more spaces). Who it is
 * stays open until its first statement; text that cannot be a token of ours is refused here, without a query.
 * @throws {AppError} 401
 */
export function appFromHeader(header: string | undefined, needs: Scope | null, resource: Resource): AppActor {
  if (header === undefined) throw unauthorized(false);
  const token = /^bearer +([\w.~+/-]{1,200}=*)$/i.exec(header)?.[1];
  if (token === undefined || !isSecret(token, ["at", "pat"])) throw unauthorized();
  return { kind: "app", tokenHash: hashSecret(token), needs, resource };
}
