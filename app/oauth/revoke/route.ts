import { everyMethod } from "@/lib/api/every-method";
import { revokeEndpoint } from "@/lib/oauth/revoke-endpoint";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = everyMethod(revokeEndpoint);
