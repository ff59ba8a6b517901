import { everyMethod } from "@/lib/api/methods";
import { pushEndpoint } from "@/lib/oauth/pushed-requests";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = everyMethod(pushEndpoint);
