import type { OwnerTable } from "@/lib/database/owner-data-table";

/** The counts of a freeze are deleted when the next freeze begins. */
export const frozenRequests: OwnerTable = { table: "frozen_request", withheld: "whole" };

/**
 * The export omits these rows, because the developer pages show them and they are deleted after a
 * week.
 */
export const requests: OwnerTable = { table: "api_request", withheld: "whole" };
