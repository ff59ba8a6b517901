import { endpoint, otherMethods } from "@/lib/api/route";
import { resolveApproval } from "@/lib/approvals/operations";

export const POST = endpoint(resolveApproval);
export const { GET, PUT, PATCH, DELETE, OPTIONS } = otherMethods("/api/approvals/{id}/resolve");
