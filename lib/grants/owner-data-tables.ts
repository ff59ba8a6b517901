import { allBut, columnNames, type ExportedTable, type OwnerTable, ownedBy } from "@/lib/database/owner-data-table";
import { type Sql, sql } from "@/lib/database/sql";
import { Prisma } from "@/lib/generated/prisma/client";

/**
 * SQL: the rows `t` that describe an owner's grants to apps. Large tables have an index of the
 * grants' IDs, but none of the owners'.
 */
export const ofTheirGrants = (ownerId: string): Sql =>
  sql`${ownedBy(ownerId)} AND t.grant_id IN (SELECT id FROM app_grant WHERE owner_id = ${ownerId})`;

export const grants: ExportedTable = {
  table: "app_grant",
  ...allBut("owner_id", Prisma.GrantScalarFieldEnum),
};

export const scopes: ExportedTable = {
  table: "grant_scope",
  ...allBut("owner_id", Prisma.GrantScopeScalarFieldEnum),
  condition: ofTheirGrants,
};

export const revokedScopes: OwnerTable = { table: "revoked_scope", withheld: "whole" };

export const sharedAccounts: ExportedTable = {
  table: "grant_integration",
  ...allBut("owner_id", Prisma.GrantIntegrationScalarFieldEnum),
  condition: ofTheirGrants,
};

export const tokens: ExportedTable = {
  table: "token",
  columns: columnNames("id grant_id kind scopes resource name created_at last_used_at expires_at revoked_at"),
  withheld: columnNames("owner_id hash family_id last4"),
  condition: ofTheirGrants,
};

export const appPreferences: ExportedTable = {
  table: "app_preferences",
  ...allBut("owner_id", Prisma.AppPreferencesScalarFieldEnum),
};

/** SQL: the IDs of the apps that an owner ever connected. */
export const appsEverConnected = (ownerId: string): Sql => sql`
  SELECT app_id
  FROM app_grant
  WHERE owner_id = ${ownerId}`;
