import type { ConnectedApp } from "@/lib/grants/schema";

/**
 * Describes how an app without a redirect URI connected, from its active tokens, or undefined if
 * none is active.
 */
export function withoutRedirect(tokens: readonly Pick<ConnectedApp["tokens"][number], "kind">[]): string | undefined {
  const has = (kind: "access" | "personal") => tokens.some((token) => token.kind === kind);
  const ways = [
    ...(has("access") ? ["A code on another device"] : []),
    ...(has("personal") ? ["Tokens that you created"] : []),
  ];
  return ways.join(" · ") || undefined;
}
