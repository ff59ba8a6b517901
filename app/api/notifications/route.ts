import { endpoint, otherMethods } from "@/lib/api/route";
import { listNotifications, pushNotification } from "@/lib/notifications/operations";

export const GET = endpoint(listNotifications);
export const POST = endpoint(pushNotification);
export const { PUT, PATCH, DELETE, OPTIONS } = otherMethods("/api/notifications");
