import { endpoint, otherMethods } from "@/lib/api/route";
import { listEvents } from "@/lib/event-feed/operations";

export const GET = endpoint(listEvents);
export const { PUT, PATCH, DELETE, POST, OPTIONS } = otherMethods("/api/events");
