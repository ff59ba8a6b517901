import { mcpEndpoint } from "@/lib/api/mcp";
import { everyMethod } from "@/lib/api/methods";

export const { GET, POST, DELETE, OPTIONS } = everyMethod(mcpEndpoint);
