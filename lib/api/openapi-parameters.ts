import type { Json } from "./json-schema";

/** Describes a parameter that is not part of an operation's own input. */
const optional = (place: "header" | "query", name: string, description: string, schema: Json): Json => ({
  ...{ name, in: place, required: false, description, schema },
});
const keyWords =
  "Makes retries safe. For 24 hours, requests with the same key and body return the first successful response.";
export const idempotencyKey = optional("header", "Idempotency-Key", keyWords, {
  type: "string",
  minLength: 1,
  maxLength: 255,
  pattern: "^[\\x20-\\x7e]*[\\x21-\\x7e][\\x20-\\x7e]*$",
});
export const requiredKey: Json = {
  ...idempotencyKey,
  required: true,
  description: "A new key for each action. A request with the same key returns the same response at any later time.",
};
const waitWords = "Seconds to wait for the answer after the approval is submitted.";
export const waiting = optional("query", "wait", waitWords, { type: "integer", minimum: 1, maximum: 60 });
const eventWords =
  "For streams, the ID of the last event that the client read. Event stream clients send this header automatically. The header overrides `after`.";
export const lastEventId = optional("header", "Last-Event-ID", eventWords, { type: "string" });
