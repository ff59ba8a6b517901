import { endpoint, otherMethods } from "@/lib/api/route";
import { reportOutcome } from "@/lib/approvals/operations";

export const POST = endpoint(reportOutcome);
export const { GET, PUT, PATCH, DELETE, OPTIONS } = otherMethods("/api/approvals/{id}/outcome");
