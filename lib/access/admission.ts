import type { Actor, AppActor } from "@/lib/actor";
import { pool } from "@/lib/db";
import { forbidden, madeForOther, unauthorized } from "@/lib/errors";
import { announce } from "@/lib/events/hub";

/**
 * Work to do for an actor. `work` is CTEs that read from `caller` (owner_id, app_id, grant_id; empty when the actor may
 * not), `result` the SELECT list that reports on them. Parameters start at $3. The name makes it a prepared statement.
 */
export type Statement = {
  name: string;
  work?: string;
  result?: string;
  values?: readonly unknown[];
  /** Whether the owner's open pages should look, once it is committed. */
  tells?: boolean;
};

type Who = {
  grant_id: string | null;
  owner_id: string | null;
  app_id: string | null;
  /** A token that works, and was made for the other of our resources. */
  elsewhere: boolean | null;
  allowed: boolean;
};

/**
 * Run a statement as the actor, in one round trip: who may is decided in the same statement that does it, so nothing can
 * change in between and a scope taken back holds on the very next request. What the actor can reach is what `caller` says.
 * @throws {AppError} 401 when the token is not live, 403 when it or its grant lacks the scope needed
 */
export async function act<Row extends object>(
  actor: Actor,
  { name, work, result, values = [], tells = false }: Statement,
): Promise<Row> {
  const { via } = actor;
  const unique = `${name}/${actor.kind === "owner" ? "owner" : actor.resource}`;
  let text = texts.get(unique);
  if (text === undefined) {
    text = `WITH who AS (${reach(actor)}), caller AS (SELECT * FROM who WHERE allowed) ${work ? `, ${work}` : ""}
      SELECT who.*${result ? `, ${result}` : ""} FROM (SELECT) AS once LEFT JOIN who ON true`;
    texts.set(unique, text);
  }
  const { rows } = await (via?.client ?? pool()).query<Row & Who>({
    name: unique,
    text,
    values: [...(actor.kind === "owner" ? [actor.ownerId, ""] : [actor.tokenHash, actor.needs ?? ""]), ...values],
  });
  const row = rows[0] as Row & Who;
  if (actor.kind === "app") admit(actor, row);
  if (tells && row.owner_id !== null) {
    if (via) via.tell.add(row.owner_id);
    else announce(row.owner_id);
  }
  return row;
}

/** Each prepared statement's whole text, by its name: put together once. */
const texts = new Map<string, string>();

/** Find out who an app is, doing nothing else. */
export const identify = async (app: AppActor) => {
  if (!app.admitted) await act(app, { name: "identify" });
  return app.admitted as NonNullable<AppActor["admitted"]>;
};

/** Which scopes an app's token has now, of those its grant still has. @throws {AppError} 401 */
export async function grantedScopes(app: AppActor): Promise<string[]> {
  const { scopes } = await act<{ scopes: string[] }>(app, {
    name: "granted-scopes",
    result: `ARRAY(SELECT s.scope FROM ${tokenScopes} WHERE t.hash = $1) AS scopes`,
  });
  return scopes;
}

const reach = (actor: Actor) => (actor.kind === "owner" ? ownerReach : appReach[actor.resource]);

/** $1 is the owner's id; $2 is unused, so that both kinds of actor number their parameters alike. */
const ownerReach = `SELECT NULL::text AS grant_id, $1::text AS owner_id, NULL::text AS app_id, false AS elsewhere, true AS allowed WHERE $2::text = ''`;

/** A token `t` of a grant `g` that works. Times are the database's, so a copy with a wrong clock decides the same. */
export const liveToken = `token t JOIN app_grant g ON g.id = t.grant_id JOIN app ON app.id = g.app_id
  WHERE t.revoked_at IS NULL AND t.expires_at > now()
    AND g.revoked_at IS NULL AND (g.expires_at IS NULL OR g.expires_at > now()) AND app.deleted_at IS NULL`;

/** Whether a scope `s` of a grant was given to it by then: one that was taken back and given anew is none of what was issued before. */
export const grantedBy = (time: string) => `s.granted_at <= ${time}`;

/** The scopes `s` that a token `t` has now: of its own those that its grant has had ever since it was issued. */
export const tokenScopes = `token t JOIN grant_scope s
  ON s.grant_id = t.grant_id AND s.scope = ANY (t.scopes) AND ${grantedBy("t.created_at")}`;

/** $1 is the token's hash, $2 the scope needed or ''. */
const appReachAt = (resource: AppActor["resource"]) => `
  SELECT g.id AS grant_id, g.owner_id, g.app_id, t.resource <> '${resource}' AS elsewhere, t.resource = '${resource}' AND (
    $2::text = '' OR ($2 = ANY (t.scopes) AND EXISTS (
      SELECT FROM grant_scope s WHERE s.grant_id = g.id AND s.scope = $2 AND ${grantedBy("t.created_at")}))) AS allowed
  FROM ${liveToken} AND t.hash = $1`;
const appReach = { api: appReachAt("api"), mcp: appReachAt("mcp") };

function admit(app: AppActor, who: Who) {
  if (who.grant_id === null || who.owner_id === null || who.app_id === null) throw unauthorized();
  if (who.elsewhere) throw madeForOther(app.resource);
  app.admitted = {
    grantId: who.grant_id,
    ownerId: who.owner_id,
    appId: who.app_id,
  };
  if (!who.allowed) throw forbidden(app.needs ?? "");
}
