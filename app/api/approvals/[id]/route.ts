import { endpoint, otherMethods } from "@/lib/api/route";
import { getApproval } from "@/lib/approvals/operations";

export const GET = endpoint(getApproval);
export const { POST, PUT, PATCH, DELETE, OPTIONS } = otherMethods("/api/approvals/{id}");
