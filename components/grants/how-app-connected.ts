import type { ConnectedApp } from "@/lib/grants/schema";

/** Describes how an app without a redirect URI connected, from its active tokens. */
export function withoutRedirect(tokens: readonly Pick<ConnectedApp["tokens"][number], "kind">[]): string {
  const ways = [
    ...(tokens.some(({ kind }) => kind === "access") ? ["The app signed in with a code on another device"] : []),
    ...(tokens.some(({ kind }) => kind === "personal") ? ["The app uses tokens you created"] : []),
  ];
  return ["The app itself", ...ways].join(". ");
}
