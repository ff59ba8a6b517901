import { mcpEndpoint } from "@/lib/api/mcp";

export const GET = mcpEndpoint;
export const POST = mcpEndpoint;
export const DELETE = mcpEndpoint;
export const OPTIONS = mcpEndpoint;
