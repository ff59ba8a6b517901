import { names, type OwnerTable, type TakenTable } from "@/lib/owner-table";
import { type Sql, sql } from "@/lib/sql";

/** The rows `t` of what an owner gave apps. */
export const ofTheirGrants = (ownerId: string): Sql =>
  sql`t.grant_id IN (SELECT id FROM app_grant WHERE owner_id = ${ownerId})`;

export const grants: TakenTable = {
  table: "app_grant",
  columns: names("id app_id created_at expires_at last_used_at revoked_at"),
  withheld: ["owner_id"],
};

export const scopes: TakenTable = {
  table: "grant_scope",
  columns: names("grant_id scope granted_at last_used_at"),
  withheld: [],
  whose: ofTheirGrants,
};

export const takenScopes: OwnerTable = { table: "taken_scope", whose: ofTheirGrants, withheld: "whole" };

export const sharedAccounts: TakenTable = {
  table: "grant_integration",
  columns: names("grant_id integration_id"),
  withheld: [],
  whose: ofTheirGrants,
};

export const tokens: TakenTable = {
  table: "token",
  columns: names("id grant_id kind scopes resource name created_at last_used_at expires_at revoked_at"),
  withheld: names("hash family_id last4"),
  whose: ofTheirGrants,
};

export const appChoices: TakenTable = {
  table: "app_choice",
  columns: names("app_id questions_muted notifications_muted muted_types always_confirm lock_screen updated_at"),
  withheld: ["owner_id"],
};
