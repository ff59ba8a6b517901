import type { OwnerActor } from "@/lib/actor";
import { redirectHost } from "@/lib/apps/redirect-uris";
import { clock } from "@/lib/clock";
import { db } from "@/lib/database/db";
import { type Sql, sql } from "@/lib/database/sql";
import { notFound } from "@/lib/errors";
import { type Change, change } from "@/lib/events/change-transaction";
import { record } from "@/lib/events/record-events";
import type { App, Prisma } from "@/lib/generated/prisma/client";
import { isScope, type Scope, scopeNames } from "@/lib/scopes";
import { hueOf } from "./grant-sql-for-other-domains";
import { appIdentity } from "./requesting-app";
import type { ConnectedApp } from "./schema";

/** Returns the owner's connected apps, most recently connected first. */
export const listGrants = async (owner: OwnerActor): Promise<ConnectedApp[]> => find(owner);

/** Returns the owner's live grant for an app, if any. */
export const findGrant = async (owner: OwnerActor, clientId: string): Promise<ConnectedApp | undefined> =>
  (await find(owner, sql`app_id = ${clientId}`))[0];

/**
 * Returns the owner's live grant for an app.
 * @throws {AppError} 404 if there is none
 */
export async function getGrant(owner: OwnerActor, clientId: string): Promise<ConnectedApp> {
  const grant = await findGrant(owner, clientId);
  if (!grant) throw notFound();
  return grant;
}

async function find({ ownerId }: OwnerActor, which: Sql = sql`true`): Promise<ConnectedApp[]> {
  const live = await sql<{ id: string; now: Date; hue: number }>`
    SELECT id, now(), ${hueOf(sql`${ownerId}`, sql`live_grant.app_id`)} AS hue
    FROM live_grant
    WHERE owner_id = ${ownerId} AND ${which}`.rows();
  const now = live[0]?.now ?? new Date(clock.now());
  const found = await db.grant.findMany({
    where: { ownerId, id: { in: live.map(({ id }) => id) }, app: { deletedAt: null } },
    include: {
      ...parts,
      tokens: { where: { revokedAt: null, expiresAt: { gt: now } }, orderBy: { id: "desc" }, take: 100 },
    },
    orderBy: { id: "desc" },
  });
  const hues = new Map(live.map(({ id, hue }) => [id, hue]));
  return found.map((row) => ({ ...asConnected(row, now), hue: hues.get(row.id) ?? 0 }));
}

const parts = { app: true, scopes: true, integrations: true, tokens: true } satisfies Prisma.GrantInclude;

/**
 * Revokes an app's access to the owner's account. All of the app's codes and tokens for this owner
 * stop working, so its next call returns 401.
 * @throws {AppError} 404 if the app is not connected
 */
export async function revokeGrant({ ownerId }: OwnerActor, clientId: string): Promise<void> {
  await change({ ownerId }, async (tx) => {
    if (!(await endGrant(tx, ownerId, clientId))) throw notFound();
  });
}

/**
 * Revokes an app's access in the given change.
 * @returns whether the app was connected
 */
export async function endGrant(tx: Change, ownerId: string, clientId: string): Promise<boolean> {
  const revoked = await sql<{ id: string }>`
    UPDATE app_grant
    SET revoked_at = now()
    WHERE owner_id = ${ownerId} AND app_id = ${clientId} AND revoked_at IS NULL
    RETURNING id`.row(tx);
  if (!revoked) return false;
  await sql`
    UPDATE token
    SET revoked_at = now()
    WHERE owner_id = ${ownerId} AND grant_id = ${revoked.id} AND revoked_at IS NULL`.run(tx);
  await record(tx, { ownerId, appId: clientId, type: "grant.revoked", subject: revoked.id });
  return true;
}

const known = (names: string[]) => names.filter(isScope).sort((a, b) => scopeNames.indexOf(a) - scopeNames.indexOf(b));

/**
 * How long an app may be unused before the owner is asked whether to disconnect it, in
 * milliseconds.
 */
const idleMs = 90 * 86_400_000;

function asConnected(row: Prisma.GrantGetPayload<{ include: typeof parts }>, now: Date): Omit<ConnectedApp, "hue"> {
  const [home] = row.app.redirectUris;
  const byScope = new Map(row.scopes.map((scope) => [scope.scope, scope]));
  return {
    clientId: row.appId,
    name: row.app.name,
    ...appIdentity(row.app),
    registeredAt: row.app.createdAt.getTime(),
    ...(home && { host: redirectHost(home) }),
    grantedAt: row.createdAt.getTime(),
    ...(row.lastUsedAt && { lastUsedAt: row.lastUsedAt.getTime() }),
    ...(row.expiresAt && { expiresAt: row.expiresAt.getTime() }),
    ...(row.frozenAt && { frozen: true }),
    scopes: known([...byScope.keys()]).map((scope) => {
      const { grantedAt, lastUsedAt } = byScope.get(scope)!;
      return { scope, grantedAt: grantedAt.getTime(), ...(lastUsedAt && { lastUsedAt: lastUsedAt.getTime() }) };
    }),
    wanted: wantedScopes(row.app).filter((scope) => !byScope.has(scope)),
    idle: now.getTime() - (row.lastUsedAt ?? row.createdAt).getTime() > idleMs,
    integrationIds: row.integrations.map(({ integrationId }) => integrationId),
    tokens: row.tokens.map((token) => ({
      id: token.id,
      kind: token.kind === "personal" ? "personal" : "access",
      ...(token.name !== null && { name: token.name }),
      last4: token.last4,
      scopes: known(token.scopes).filter((scope) => hasStill(token, byScope.get(scope))),
      createdAt: token.createdAt.getTime(),
      ...(token.lastUsedAt && { lastUsedAt: token.lastUsedAt.getTime() }),
      expiresAt: token.expiresAt.getTime(),
    })),
  };
}

/**
 * Returns whether the grant has held a scope continuously since the token was issued. The view
 * `live_token` applies the same rule.
 */
const hasStill = ({ createdAt }: { createdAt: Date }, scope: { grantedAt: Date } | undefined) =>
  scope !== undefined && scope.grantedAt <= createdAt;

/** Returns the known scopes that an app declared or requested at registration. */
function wantedScopes({ declaredScopes, clientMetadata }: Pick<App, "declaredScopes" | "clientMetadata">): Scope[] {
  const { scope } = (clientMetadata ?? {}) as { scope?: unknown };
  return known([...Object.keys(declaredScopes ?? {}), ...(typeof scope === "string" ? scope.split(" ") : [])]);
}
