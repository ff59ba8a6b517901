import type { ApprovalFactRequest } from "./types";
import { safeJson, unhidden } from "./visible-json";

/** Matches a letter, number, punctuation mark or symbol that is visible. */
const visible = /(?![\u115f\u1160\u2800\u3164\uffa0\u{1d159}])[\p{L}\p{N}\p{P}\p{S}]/u;

/**
 * Returns the first six arguments of a tool call as facts, sorted by name, so that equal calls have
 * equal facts. Each fact is a single line that may be truncated, because the question's background
 * shows all arguments in full.
 */
export function factsOf(input: unknown): ApprovalFactRequest[] {
  if (typeof input !== "object" || input === null || Array.isArray(input)) return [];
  const fields = Object.entries(JSON.parse(safeJson(input)) as Record<string, unknown>);
  return fields.slice(0, 6).map(([name, value]) => ({ label: line(name, 80), value: line(value, 200) }));
}

/**
 * Formats a value on one line, without hidden characters. Quotes text that has no visible
 * characters.
 */
function line(value: unknown, max: number): string {
  const text = typeof value === "string" && visible.test(value) ? value : JSON.stringify(value);
  const points = [...unhidden(text.replaceAll(/\s+/g, " ").trim())];
  return points.length > max ? `${points.slice(0, max - 1).join("")}…` : points.join("");
}
