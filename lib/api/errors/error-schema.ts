/** The schema of every error response, for OpenAPI. */
export const errorSchema = {
  type: "object",
  additionalProperties: true,
  required: ["error"],
  properties: {
    error: { type: "string", description: "A human-readable error message." },
    details: {
      type: "array",
      description:
        "For 400, each invalid field. For 401 and 403, the reason for the rejection. For 404, 405 and 413, a suggestion for the next request, if there is one.",
      items: {
        type: "object",
        additionalProperties: true,
        required: ["path", "message"],
        properties: {
          path: {
            type: "string",
            description:
              "The path of the field, like `options.0.label`. Empty if the problem concerns the whole request.",
          },
          message: { type: "string", description: "The problem, or a suggestion for the next request." },
          reason: {
            type: "string",
            description:
              "A code for the reason, if programs should react to it. `frozen`: the owner froze this app, so every request gets 403 until the owner unfreezes the app. More codes may be added.",
          },
        },
      },
    },
  },
};
