import type { Tool as McpTool } from "@modelcontextprotocol/server";

/*
 * The full schema of a question's fields has alternatives in alternatives, which some models and
 * clients can't follow, and is longer than all other arguments together. Models read this short
 * schema with an example instead. The operation's own schema checks the arguments.
 */

const example =
  '{"amount":{"type":"object","format":"money","currency":"EUR","default":{"amount":"86.40","currency":"EUR"}},"when":{"type":"string","format":"date"}}';

/** The schema of the argument `fields`, for models. */
const fieldsForModels = {
  type: "object",
  description:
    "Values that the owner fills in, as the schema of a flat object. Requires an option with `fields: true`.",
  properties: {
    type: { type: "string", description: "`object`." },
    properties: {
      type: "object",
      description: `1 to 20 fields: string (with enum or a format like date), number, integer, boolean, array of choices, money, or \`{"type":"object","format":"items","items":[{"id","label"}]}\`. Example: ${example}`,
      additionalProperties: true,
    },
    required: { type: "array", description: "Names of required fields.", items: { type: "string" } },
  },
  required: ["type", "properties"],
};

/** Replaces the schema of a question's fields in a tool's input with the one for models. */
export const withShortFields = (schema: McpTool["inputSchema"]): McpTool["inputSchema"] =>
  schema.properties?.fields ? { ...schema, properties: { ...schema.properties, fields: fieldsForModels } } : schema;
