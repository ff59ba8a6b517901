import { endpoint, otherMethods } from "@/lib/api/route";
import { getNotification } from "@/lib/notifications/operations";

export const GET = endpoint(getNotification);
export const { POST, PUT, PATCH, DELETE, OPTIONS } = otherMethods("/api/notifications/{id}");
