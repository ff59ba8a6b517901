import { everyMethod } from "@/lib/api/methods";
import { deviceEndpoint } from "@/lib/oauth/device-endpoint";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = everyMethod(deviceEndpoint);
