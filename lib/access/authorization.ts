import type { Actor, AppActor } from "@/lib/actor";
import { empty, type Sql, sql } from "@/lib/database/sql";
import { forbidden, invalidToken, wrongAudience } from "@/lib/errors";
import { publish } from "@/lib/events/pubsub";
import { cacheGrant } from "./grant-cache";

/**
 * Work to do for an actor. `work` is CTEs that read from `caller` (owner_id, app_id, grant_id and the scopes that its token
 * has now; empty when the actor may not), `result` the SELECT list that reports on them.
 */
export type AuthorizedStatement = {
  work?: Sql;
  result?: Sql;
  /** Whether the owner's open pages should look, once it is committed. */
  announces?: boolean;
};

/** Who an actor turned out to be. */
export type CallerRow = {
  grant_id: string | null;
  owner_id: string | null;
  app_id: string | null;
  /** A token that works, and was made for the other of our resources. */
  wrong_audience: boolean | null;
  allowed: boolean;
  /** The scopes that its token has, where it was not allowed. */
  held: string[] | null;
};

/**
 * Run a statement as the actor, in one round trip: who may is decided in the same statement that does it, so nothing can
 * change in between and a scope taken back holds on the very next request. What the actor can reach is what `caller` says.
 * @throws {AppError} 401 when the token is not live, 403 when it or its grant lacks the scope needed
 */
export async function runAuthorized<Row extends object>(
  actor: Actor,
  { work, result, announces }: AuthorizedStatement,
): Promise<Row> {
  const may = isAllowed(actor);
  const [does, reports] = [work ? sql`, ${work}` : empty, result ? sql`, ${result}` : empty];
  const statement = sql<
    Row & CallerRow
  >`WITH who AS (${callerRelation(actor)}), caller AS (SELECT * FROM who WHERE ${may})${does}
      SELECT grant_id, owner_id, app_id, wrong_audience, ${may} AS allowed,
        CASE WHEN ${may} THEN NULL ELSE scopes END AS held${reports} FROM (SELECT) AS once LEFT JOIN who ON true`;
  return assertAuthorized(actor, await statement.row(actor.via?.client), announces);
}

/**
 * What was reported on an actor's work, where they were let in. Their owner is told to look, once it is committed.
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

/** Find out who an app is, doing nothing else. */
export const authenticate = async (app: AppActor) => {
  if (!app.admitted) await runAuthorized(app, {});
  return app.admitted as NonNullable<AppActor["admitted"]>;
};

/** Which scopes an app's token has now, of those its grant still has. @throws {AppError} 401 */
export async function grantedScopes(app: AppActor): Promise<string[]> {
  const { scopes } = await runAuthorized<{ scopes: string[] }>(app, { result: sql`scopes` });
  return scopes;
}

/** Who an actor is, as a relation of one row at most. */
export const callerRelation = (actor: Actor): Sql =>
  actor.kind === "app"
    ? sql`SELECT ${found(actor)} FROM live_token t WHERE t.hash = ${actor.tokenHash}`
    : sql`SELECT ${self} FROM (SELECT ${actor.ownerId}::text AS owner_id) AS o`;

/** Who several are, all apps at one resource or all owners: as `reach`, with `k`, their places, counted from 1. */
export function callersRelation(actors: readonly Actor[]): Sql {
  const apps = actors.filter((actor) => actor.kind === "app");
  const [app] = apps;
  if (app)
    return sql`SELECT h.k, ${found(app)} FROM unnest(${apps.map((it) => it.tokenHash)}::bytea[]) WITH ORDINALITY AS h(hash, k)
      JOIN live_token t ON t.hash = h.hash`;
  const owners = actors.flatMap((actor) => (actor.kind === "owner" ? [actor.ownerId] : []));
  return sql`SELECT o.k, ${self} FROM unnest(${owners}::text[]) WITH ORDINALITY AS o(owner_id, k)`;
}

const found = ({ resource }: AppActor) =>
  sql`t.grant_id, t.owner_id, t.app_id, t.scopes, t.resource <> ${resource} AS wrong_audience`;
const self = sql`NULL::text AS grant_id, o.owner_id, NULL::text AS app_id, NULL::text[] AS scopes, false AS wrong_audience`;

/** Whether who was found may do what the actor is about. */
export const isAllowed = (actor: Actor): Sql =>
  actor.kind === "owner"
    ? sql`true`
    : sql`NOT wrong_audience${actor.needs === null ? empty : sql` AND ${actor.needs} = ANY (scopes)`}`;

function admit(app: AppActor, who: CallerRow) {
  if (who.grant_id === null || who.owner_id === null || who.app_id === null) throw invalidToken();
  if (who.wrong_audience) throw wrongAudience(app.resource);
  cacheGrant(app, who.grant_id);
  app.admitted = { grantId: who.grant_id, ownerId: who.owner_id, appId: who.app_id };
  if (!who.allowed) throw forbidden(app.needs ?? "", who.held ?? []);
}
