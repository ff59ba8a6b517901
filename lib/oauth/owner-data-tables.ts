import type { OwnerTable } from "@/lib/database/owner-data-table";
import { ofTheirGrants } from "@/lib/grants/owner-data-tables";

export const authorizationCodes: OwnerTable = { table: "authorization_code", withheld: "whole" };
export const refreshTokens: OwnerTable = { table: "refresh_token", condition: ofTheirGrants, withheld: "whole" };
export const consentRequests: OwnerTable = { table: "consent_request", withheld: "whole" };
export const deviceCodes: OwnerTable = { table: "device_code", withheld: "whole" };
