import { allBut, columnNames, type ExportedTable, type OwnerTable } from "@/lib/database/owner-data-table";
import { type Sql, sql } from "@/lib/database/sql";
import { Prisma } from "@/lib/generated/prisma/client";

/** SQL: the rows `t` that describe an owner's grants to apps. */
export const ofTheirGrants = (ownerId: string): Sql =>
  sql`t.grant_id IN (SELECT id FROM app_grant WHERE owner_id = ${ownerId})`;

export const grants: ExportedTable = {
  table: "app_grant",
  ...allBut("owner_id", Prisma.GrantScalarFieldEnum),
};

export const scopes: ExportedTable = {
  table: "grant_scope",
  ...allBut("", Prisma.GrantScopeScalarFieldEnum),
  condition: ofTheirGrants,
};

export const takenScopes: OwnerTable = { table: "taken_scope", condition: ofTheirGrants, withheld: "whole" };

export const sharedAccounts: ExportedTable = {
  table: "grant_integration",
  ...allBut("", Prisma.GrantIntegrationScalarFieldEnum),
  condition: ofTheirGrants,
};

export const tokens: ExportedTable = {
  table: "token",
  columns: columnNames("id grant_id kind scopes resource name created_at last_used_at expires_at revoked_at"),
  withheld: columnNames("hash family_id last4"),
  condition: ofTheirGrants,
};

export const appChoices: ExportedTable = {
  table: "app_choice",
  ...allBut("owner_id", Prisma.AppChoiceScalarFieldEnum),
};
