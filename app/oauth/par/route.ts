import { everyMethod } from "@/lib/api/methods";
import { parEndpoint } from "@/lib/oauth/par";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = everyMethod(parEndpoint);
