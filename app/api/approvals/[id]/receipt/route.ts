import { endpoint, otherMethods } from "@/lib/api/route";
import { getReceipt } from "@/lib/receipts/operations";

export const GET = endpoint(getReceipt);
export const { POST, PUT, PATCH, DELETE, OPTIONS } = otherMethods("/api/approvals/{id}/receipt");
