import { everyMethod } from "@/lib/api/every-method";
import { introspectEndpoint } from "@/lib/oauth/introspect-endpoint";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = everyMethod(introspectEndpoint);
