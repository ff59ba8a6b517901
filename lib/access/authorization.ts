import type { Actor, AppActor } from "@/lib/actor";
import { empty, type Sql, sql } from "@/lib/database/sql";
import { forbidden, invalidToken, wrongAudience } from "@/lib/errors";
import { publish } from "@/lib/events/pubsub";
import { frozenApp } from "@/lib/frozen-errors";
import { cacheGrant } from "./grant-cache";

/**
 * SQL that does the work an actor requests. `work` holds CTEs that read `caller` (owner_id, app_id,
 * grant_id and the token's current scopes), which is empty if the actor is not authorized. `result`
 * is the SELECT list that the statement returns.
 */
export type AuthorizedStatement = {
  work?: Sql;
  result?: Sql;
  /** Whether to notify the owner's open pages after the transaction commits. */
  announces?: boolean;
};

/**
 * The columns in which a statement returns who the actor is, or why the actor is not authorized.
 */
export type CallerRow = {
  grant_id: string | null;
  owner_id: string | null;
  app_id: string | null;
  /** Whether the token is valid but was issued for the other resource. */
  wrong_audience: boolean | null;
  /** Whether the token is valid but the owner froze its app. */
  frozen: boolean | null;
  /** The token's scopes. Null if the request was authorized. */
  held: string[] | null;
};

/**
 * Runs a statement as the actor, in one round trip. The statement both authorizes the actor and
 * does the work, so permissions can't change in between. A revoked scope is therefore rejected on
 * the next request.
 * @throws {AppError} 401 if the token is not live, 403 if it or its grant lacks the required scope,
 *   or is frozen
 */
export async function runAuthorized<Row extends object>(
  actor: Actor,
  { work, result, announces }: AuthorizedStatement,
): Promise<Row> {
  const may = isAllowed(actor);
  const [does, reports] = [work ? sql`, ${work}` : empty, result ? sql`, ${result}` : empty];
  const statement = sql<Row & CallerRow>`
    WITH who AS (${callerRelation(actor)}), caller AS (SELECT * FROM who WHERE ${may})${does}
    SELECT grant_id, owner_id, app_id, wrong_audience, frozen,
      CASE WHEN ${may} THEN NULL ELSE scopes END AS held${reports}
    FROM (SELECT) AS once LEFT JOIN who ON true`;
  return assertAuthorized(actor, await statement.row(actor.via?.client), announces);
}

/**
 * Checks the authorization in a statement's row and returns the row. If `announces` is set,
 * notifies the owner's open pages after the commit.
 * @throws {AppError} 401, 403
 */
export function assertAuthorized<Row extends object>(
  actor: Actor,
  found: (Row & CallerRow) | undefined,
  announces = false,
): Row {
  if (!found) throw invalidToken();
  if (actor.kind === "app") admit(actor, found);
  if (announces && found.owner_id !== null) {
    if (actor.via) actor.via.affectedOwners.add(found.owner_id);
    else publish(found.owner_id);
  }
  return found;
}

/** Authenticates an app without doing other work. */
export const authenticate = async (app: AppActor) => {
  if (!app.admitted) await runAuthorized(app, {});
  return app.admitted as NonNullable<AppActor["admitted"]>;
};

/**
 * Returns the current scopes of an app's token, limited to those its grant still has.
 * @throws {AppError} 401
 */
export async function grantedScopes(app: AppActor): Promise<string[]> {
  const { scopes } = await runAuthorized<{ scopes: string[] }>(app, { result: sql`scopes` });
  return scopes;
}

/** Returns the actor as a relation of at most one row. */
export const callerRelation = (actor: Actor): Sql =>
  actor.kind === "app"
    ? sql`SELECT ${found(actor)} FROM live_token t WHERE t.hash = ${actor.tokenHash}`
    : sql`SELECT ${self} FROM (SELECT ${actor.ownerId}::text AS owner_id) AS o`;

/**
 * Returns several actors as a relation, with their positions `k`, which start at 1. The actors must
 * be either all apps at one resource or all owners, because a statement looks up only one of the
 * two.
 */
export function callersRelation(actors: readonly Actor[]): Sql {
  const apps = actors.filter((actor) => actor.kind === "app");
  const [app] = apps;
  if (app)
    return sql`
      SELECT h.k, ${found(app)}
      FROM unnest(${apps.map((it) => it.tokenHash)}::bytea[]) WITH ORDINALITY AS h(hash, k)
        JOIN live_token t ON t.hash = h.hash`;
  const owners = actors.flatMap((actor) => (actor.kind === "owner" ? [actor.ownerId] : []));
  return sql`SELECT o.k, ${self} FROM unnest(${owners}::text[]) WITH ORDINALITY AS o(owner_id, k)`;
}

const found = ({ resource }: AppActor) =>
  sql`t.grant_id, t.owner_id, t.app_id, t.scopes, t.resource <> ${resource} AS wrong_audience,
    t.frozen`;
const self = sql`NULL::text AS grant_id, o.owner_id, NULL::text AS app_id, NULL::text[] AS scopes,
  false AS wrong_audience, false AS frozen`;

/** Returns SQL for whether the actor is authorized for the request. */
export function isAllowed(actor: Actor): Sql {
  if (actor.kind === "owner") return sql`true`;
  const hasScope = actor.needs === null ? empty : sql` AND ${actor.needs} = ANY (scopes)`;
  return sql`NOT wrong_audience AND NOT frozen${hasScope}`;
}

function admit(app: AppActor, who: CallerRow) {
  if (who.grant_id === null || who.owner_id === null || who.app_id === null) throw invalidToken();
  if (who.wrong_audience) throw wrongAudience(app.resource);
  cacheGrant(app, who.grant_id);
  app.admitted = { grantId: who.grant_id, ownerId: who.owner_id, appId: who.app_id };
  if (who.frozen) throw frozenApp();
  if (who.held) throw forbidden(app.needs ?? "", who.held);
}
