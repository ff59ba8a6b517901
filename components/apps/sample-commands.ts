/** A command that asks the owner a first question. @param token the token, or `$TOKEN` */
export const firstQuestion = (baseUrl: string, token: string) => `curl ${baseUrl}/api/approvals \\
  -H "Authorization: Bearer ${token}" \\
  -H "Content-Type: application/json" \\
  -d '{"question":"Did this question reach you?","options":[{"id":"yes","label":"Yes"},{"id":"no","label":"Not yet"}]}'`;

/**
 * A command that adds the MCP server to Claude Code with a token instead of a sign-in.
 * @param token a token for /api/mcp
 */
export const addToAgent = (baseUrl: string, token: string) =>
  `claude mcp add --transport http countersign ${baseUrl}/api/mcp --header "Authorization: Bearer ${token}"`;
