import { env } from "@/lib/config/env";

export type Resource = "api" | "mcp";

/**
 * The resource that an RFC 8707 indicator names, or undefined: `/api` (also as the bare origin) or
 * `/api/mcp`, with or without one trailing slash. Scheme and host ignore case; the rest must match
 * exactly.
 */
export function resourceOf(indicator: string): Resource | undefined {
  if (!URL.canParse(indicator) || /[?#]/.test(indicator)) return undefined;
  const { origin, username, password } = new URL(indicator);
  if (origin !== env().publicUrl || username || password) return undefined;
  // The path as written, because parsing would resolve `/x/../api`.
  const path = indicator.replace(/^[^:]*:\/\/[^/]*/, "").replace(/\/$/, "");
  if (path === "" || path === "/api") return "api";
  return path === "/api/mcp" ? "mcp" : undefined;
}
