import { env } from "@/lib/config/env";

export type Resource = "api" | "mcp";

/**
 * Returns the resource that an RFC 8707 indicator names, or undefined for any other URL. The bare
 * origin and `/api` name the API, and `/api/mcp` names the tools. One trailing slash is allowed,
 * and only the scheme and host are case-insensitive.
 */
export function resourceOf(indicator: string): Resource | undefined {
  if (!URL.canParse(indicator) || /[?#]/.test(indicator)) return undefined;
  const { origin, username, password } = new URL(indicator);
  if (origin !== env().publicUrl || username || password) return undefined;
  // The path is compared as written, because parsing would resolve `/x/../api`.
  const path = indicator.replace(/^[^:]*:\/\/[^/]*/, "").replace(/\/$/, "");
  if (path === "" || path === "/api") return "api";
  return path === "/api/mcp" ? "mcp" : undefined;
}
