import type { Actor, AppActor } from "@/lib/actor";
import { forbidden, madeForOther, unauthorized } from "@/lib/errors";
import { announce } from "@/lib/events/hub";
import type { Scope } from "@/lib/scopes";
import { empty, type Sql, sql } from "@/lib/sql";

/**
 * Work to do for an actor. `work` is CTEs that read from `caller` (owner_id, app_id, grant_id; empty when the actor may
 * not), `result` the SELECT list that reports on them.
 */
export type Statement = {
  work?: Sql;
  result?: Sql;
  /** Whether the owner's open pages should look, once it is committed. */
  announces?: boolean;
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
  { work, result, announces = false }: Statement,
): Promise<Row> {
  const { via } = actor;
  const [does, reports] = [work ? sql`, ${work}` : empty, result ? sql`, ${result}` : empty];
  const statement = sql<Row & Who>`WITH who AS (${reach(actor)}), caller AS (SELECT * FROM who WHERE allowed)${does}
      SELECT who.*${reports} FROM (SELECT) AS once LEFT JOIN who ON true`;
  const found = (await statement.row(via?.client))!;
  if (actor.kind === "app") admit(actor, found);
  if (announces && found.owner_id !== null) {
    if (via) via.concerned.add(found.owner_id);
    else announce(found.owner_id);
  }
  return found;
}

/** Find out who an app is, doing nothing else. */
export const identify = async (app: AppActor) => {
  if (!app.admitted) await act(app, {});
  return app.admitted as NonNullable<AppActor["admitted"]>;
};

/** Which scopes an app's token has now, of those its grant still has. @throws {AppError} 401 */
export async function grantedScopes(app: AppActor): Promise<string[]> {
  const { scopes } = await act<{ scopes: string[] }>(app, {
    result: sql`ARRAY(${scopesOf(app)}) AS scopes`,
  });
  return scopes;
}

const reach = (actor: Actor): Sql =>
  actor.kind === "app"
    ? appReach(actor)
    : sql`SELECT NULL::text AS grant_id, ${actor.ownerId}::text AS owner_id, NULL::text AS app_id, false AS elsewhere, true AS allowed`;

/** A token `t` of a grant `g` that works. Times are the database's, so a copy with a wrong clock decides the same. */
export const liveToken = sql`token t JOIN live_grant g ON g.id = t.grant_id JOIN app ON app.id = g.app_id
  WHERE t.revoked_at IS NULL AND t.expires_at > now() AND app.deleted_at IS NULL`;

/** Whether a scope `s` of a grant was given to it by then: one that was taken back and given anew is none of what was issued before. */
export const grantedBy = (time: Sql): Sql => sql`s.granted_at <= ${time}`;

/** The scopes that an app's token has now: of its own those that its grant has had ever since it was issued. */
export const scopesOf = ({ tokenHash }: AppActor): Sql => sql`SELECT s.scope FROM token t JOIN grant_scope s
  ON s.grant_id = t.grant_id AND s.scope = ANY (t.scopes) AND ${grantedBy(sql`t.created_at`)} WHERE t.hash = ${tokenHash}`;

const appReach = ({ tokenHash, resource, needs }: AppActor) => sql`
  SELECT g.id AS grant_id, g.owner_id, g.app_id, t.resource <> ${resource} AS elsewhere,
    t.resource = ${resource}${needs === null ? empty : sql` AND ${mayUse(needs)}`} AS allowed
  FROM ${liveToken} AND t.hash = ${tokenHash}`;

const mayUse = (scope: Scope) => sql`${scope} = ANY (t.scopes) AND EXISTS (
  SELECT FROM grant_scope s WHERE s.grant_id = g.id AND s.scope = ${scope} AND ${grantedBy(sql`t.created_at`)})`;

function admit(app: AppActor, who: Who) {
  if (who.grant_id === null || who.owner_id === null || who.app_id === null) throw unauthorized();
  if (who.elsewhere) throw madeForOther(app.resource);
  app.admitted = { grantId: who.grant_id, ownerId: who.owner_id, appId: who.app_id };
  if (!who.allowed) throw forbidden(app.needs ?? "");
}
