import { everyMethod } from "@/lib/api/every-method";
import { deviceEndpoint } from "@/lib/oauth/device-endpoint";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = everyMethod(deviceEndpoint);
