import type { OwnerTable } from "@/lib/database/owner-data-table";
import { sql } from "@/lib/database/sql";
import { ofTheirGrants } from "@/lib/grants/owner-data-tables";

export const authorizationCodes: OwnerTable = {
  table: "authorization_code",
  condition: ofTheirGrants,
  withheld: "whole",
};
export const refreshTokens: OwnerTable = { table: "refresh_token", condition: ofTheirGrants, withheld: "whole" };
export const consentRequests: OwnerTable = { table: "consent_request", withheld: "whole" };
export const deviceCodes: OwnerTable = {
  table: "device_code",
  condition: (ownerId) => sql`t.owner_id = ${ownerId} OR ${ofTheirGrants(ownerId)}`,
  withheld: "whole",
};
