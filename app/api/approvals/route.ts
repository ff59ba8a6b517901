import { endpoint, otherMethods } from "@/lib/api/route";
import { listApprovals, submitApproval } from "@/lib/approvals/operations";

export const GET = endpoint(listApprovals);
export const POST = endpoint(submitApproval);
export const { PUT, PATCH, DELETE, OPTIONS } = otherMethods("/api/approvals");
