import { env } from "@/lib/config/env";

export type Resource = "api" | "mcp";

/**
 * Which of our resources an RFC 8707 indicator names, or undefined: `/api` (also as the bare origin) or `/api/mcp`, with
 * or without one slash at the end. Scheme and host compare in any case; the rest exactly.
 */
export function resourceOf(indicator: string): Resource | undefined {
  if (!URL.canParse(indicator) || /[?#]/.test(indicator)) return undefined;
  const { origin, username, password } = new URL(indicator);
  if (origin !== env().publicUrl || username || password) return undefined;
  // The path as it was written: parsing would resolve `/x/../api`.
  const path = indicator.replace(/^[^:]*:\/\/[^/]*/, "").replace(/\/$/, "");
  if (path === "" || path === "/api") return "api";
  return path === "/api/mcp" ? "mcp" : undefined;
}
