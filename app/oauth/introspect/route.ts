import { everyMethod } from "@/lib/api/methods";
import { introspectEndpoint } from "@/lib/oauth/introspect-endpoint";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = everyMethod(introspectEndpoint);
