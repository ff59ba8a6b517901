import { everyMethod } from "@/lib/api/every-method";
import { tokenEndpoint } from "@/lib/oauth/token-endpoint";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = everyMethod(tokenEndpoint);
