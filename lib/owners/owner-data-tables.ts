import { allBut, columnNames, type ExportedTable, type OwnerTable } from "@/lib/database/owner-data-table";
import { sql } from "@/lib/database/sql";
import { Prisma } from "@/lib/generated/prisma/client";

export const accounts: ExportedTable = {
  table: "owner",
  columns: columnNames("id email confirmed_email name created_at notifications_seen_at"),
  withheld: columnNames("password_hash session_version first"),
  condition: (ownerId) => sql`t.id = ${ownerId}`,
};

export const emailRoutes: OwnerTable = { table: "email_route", withheld: "whole" };

export const settings: ExportedTable = {
  table: "owner_settings",
  ...allBut("owner_id", Prisma.OwnerSettingsScalarFieldEnum),
};

export const sessions: ExportedTable = {
  table: "owner_session",
  ...allBut("owner_id", Prisma.OwnerSessionScalarFieldEnum),
};

export const passkeys: ExportedTable = {
  table: "passkey",
  columns: columnNames("name transports synced created_at last_used_at"),
  withheld: columnNames("id owner_id public_key counter"),
};

export const removedPasskeys: ExportedTable = {
  table: "removed_passkey",
  columns: columnNames("synced since until"),
  withheld: columnNames("id owner_id public_key"),
};

export const passkeyChallenges: OwnerTable = { table: "passkey_challenge", withheld: "whole" };

export const recoveryCodes: ExportedTable = {
  table: "recovery_code",
  columns: columnNames("created_at used_at"),
  withheld: columnNames("hash owner_id"),
};

export const signInLinks: OwnerTable = { table: "sign_in_link", withheld: "whole" };

export const failedSignIns: ExportedTable = {
  table: "failed_sign_in",
  ...allBut("owner_id", Prisma.FailedSignInScalarFieldEnum),
};
