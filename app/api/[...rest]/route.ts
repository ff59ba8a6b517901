import { everyMethod } from "@/lib/api/every-method";
import { serveRequest } from "@/lib/api/route-request";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = everyMethod(serveRequest);
