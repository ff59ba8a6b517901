import { everyMethod } from "@/lib/api/every-method";
import { serveRequest } from "@/lib/api/route";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = everyMethod(serveRequest);
