import { everyMethod } from "@/lib/api/every-method";
import { mcpEndpoint } from "@/lib/api/mcp";

export const { GET, POST, DELETE, OPTIONS } = everyMethod(mcpEndpoint);
