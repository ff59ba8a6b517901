import type { Actor, AppActor, OwnerActor } from "@/lib/actor";
import { forbidden, madeForOther, unauthorized } from "@/lib/errors";
import { announce } from "@/lib/events/hub";
import { empty, type Sql, sql } from "@/lib/sql";

/**
 * Work to do for an actor. `work` is CTEs that read from `caller` (owner_id, app_id, grant_id and the scopes that its token
 * has now; empty when the actor may not), `result` the SELECT list that reports on them.
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
  const [who, may] = actor.kind === "app" ? [appReach(actor), mayWork(actor)] : [ownerReach(actor), sql`true`];
  const [does, reports] = [work ? sql`, ${work}` : empty, result ? sql`, ${result}` : empty];
  const statement = sql<Row & Who>`WITH who AS (${who}), caller AS (SELECT * FROM who WHERE ${may})${does}
      SELECT grant_id, owner_id, app_id, elsewhere, ${may} AS allowed${reports} FROM (SELECT) AS once LEFT JOIN who ON true`;
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
  const { scopes } = await act<{ scopes: string[] }>(app, { result: sql`scopes` });
  return scopes;
}

const ownerReach = ({ ownerId }: OwnerActor) => sql`
  SELECT NULL::text AS grant_id, ${ownerId}::text AS owner_id, NULL::text AS app_id, NULL::text[] AS scopes, false AS elsewhere`;

const appReach = ({ tokenHash, resource }: AppActor) => sql`
  SELECT grant_id, owner_id, app_id, scopes, resource <> ${resource} AS elsewhere FROM live_token WHERE hash = ${tokenHash}`;

const mayWork = ({ needs }: AppActor) =>
  sql`NOT elsewhere${needs === null ? empty : sql` AND ${needs} = ANY (scopes)`}`;

function admit(app: AppActor, who: Who) {
  if (who.grant_id === null || who.owner_id === null || who.app_id === null) throw unauthorized();
  if (who.elsewhere) throw madeForOther(app.resource);
  app.admitted = { grantId: who.grant_id, ownerId: who.owner_id, appId: who.app_id };
  if (!who.allowed) throw forbidden(app.needs ?? "");
}
