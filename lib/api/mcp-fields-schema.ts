import type { Tool as McpTool } from "@modelcontextprotocol/server";

/*
 * The API describes a question's fields as any object, and refers to the documentation, which models
 * can't read. Models read this short schema with an example instead. The operation's own schema checks the arguments.
 */

const example =
  '{"amount":{"type":"object","format":"money","currency":"EUR","default":{"amount":"86.40","currency":"EUR"}},"when":{"type":"string","format":"date"}}';

/** The schema of the argument `fields`, for models. */
const fieldsForModels = {
  type: "object",
  description: "Values that the owner fills in, as a flat schema. An option needs `fields: true`.",
  properties: {
    type: { type: "string", description: "`object`" },
    properties: {
      type: "object",
      description: `Fields: string, number, integer, boolean, money, or rows with verdicts (format items). Example: ${example}`,
      additionalProperties: true,
    },
    required: { type: "array", description: "Names.", items: { type: "string" } },
  },
  required: ["type", "properties"],
};

/** Replaces the schema of a question's fields in a tool's input with the one for models. */
export const withShortFields = (schema: McpTool["inputSchema"]): McpTool["inputSchema"] =>
  schema.properties?.fields ? { ...schema, properties: { ...schema.properties, fields: fieldsForModels } } : schema;
