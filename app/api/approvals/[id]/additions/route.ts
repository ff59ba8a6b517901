import { endpoint, otherMethods } from "@/lib/api/route";
import { addToApproval } from "@/lib/approvals/operations";

export const POST = endpoint(addToApproval);
export const { GET, PUT, PATCH, DELETE, OPTIONS } = otherMethods("/api/approvals/{id}/additions");
