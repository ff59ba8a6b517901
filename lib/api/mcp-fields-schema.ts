import type { Tool as McpTool } from "@modelcontextprotocol/server";

/*
 * The API describes a question's fields as any object, and refers to the documentation. Models
 * can't read the documentation, so they read an example instead. The operation's own schema checks
 * the arguments.
 */

/** The schema of the argument `fields`, for models. */
const fieldsForModels = {
  type: "object",
  description:
    'Values that the owner fills in, as a flat JSON Schema. An option needs `fields: true`. Example: {"type":"object","properties":{"sum":{"type":"object","format":"money","currency":"EUR","default":{"amount":"86.40","currency":"EUR"}},"day":{"type":"string","format":"date"}}}',
  additionalProperties: true,
};

/** Replaces the schema of a question's fields in a tool's input with the one for models. */
export const withShortFields = (schema: McpTool["inputSchema"]): McpTool["inputSchema"] =>
  schema.properties?.fields ? { ...schema, properties: { ...schema.properties, fields: fieldsForModels } } : schema;
