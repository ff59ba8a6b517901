import { everyMethod } from "@/lib/api/methods";
import { tokenEndpoint } from "@/lib/oauth/token-endpoint";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = everyMethod(tokenEndpoint);
