import type { ChildProcess } from "node:child_process";
import { resetEnv } from "@/lib/config/env";
import { closeDb } from "@/lib/database/db";
import { closePubsub } from "@/lib/events/pubsub";
import { migrate } from "@/lib/postgres/migrations";
import { anApp, anOwner, aTokenFor } from "@/lib/testing/factories";
import { aGrantedToken } from "@/lib/testing/oauth-flow";
import { throwawayPostgres } from "@/lib/testing/temporary-postgres";
import { aReceiver } from "@/lib/testing/webhook-receiver";
import { addEndpoint } from "@/lib/webhooks/endpoints";
import { end, secret, startOurs } from "../benchmark-servers";

export type Instance = { child: ChildProcess; port: number };
/**
 * An app with a webhook. @param arrived resolves when the receiver has the whole message with an
 * answer
 */
export type Hooked = { token: string; arrived(id: string): Promise<void> };
/**
 * Two instances on one durable PostgreSQL, with one owner's apps and their tokens. `hooked` has
 * twenty more apps with webhooks, and the last one's receiver never responds. `mcpToken` is the
 * first app's token for MCP.
 */
export type Apps = {
  instances: [Instance, Instance];
  tokens: string[];
  mcpToken: string;
  hooked: Hooked[];
  close(): Promise<void>;
};

const hooks = 20;

export async function openApps(count: number): Promise<Apps> {
  const { url, end: endPostgres } = await throwawayPostgres(["shared_buffers=256MB"]);
  await migrate(url);
  const receiver = await aReceiver();
  Object.assign(process.env, { DATABASE_URL: url, SECRET: secret, PUBLIC_URL: "http://localhost:3000" });
  process.env.ALLOW_PRIVATE_FETCH = receiver.origin;
  resetEnv();
  const owner = await anOwner();
  const newToken = async (by: typeof owner, clientId: string) =>
    (await aTokenFor(by, clientId, ["approvals:write", "approvals:read", "approvals:resolve"])).token;
  const tokens: string[] = [];
  let mcpToken = "";
  // An owner can register at most a hundred apps.
  for (let at = 0; at < count; at++) {
    const app = await anApp();
    const mcp = { scope: "approvals:write approvals:read", resource: "http://localhost:3000/api/mcp" };
    if (at === 0) mcpToken = (await aGrantedToken({ owner, app }, mcp)).token;
    tokens.push(await newToken(owner, app.clientId));
  }
  const waiting = new Map<string, () => void>();
  const hooked: Hooked[] = [];
  for (let at = 0; at < hooks; at++) {
    const { clientId } = await anApp(owner);
    const path = `/hooks/${at}`;
    await addEndpoint(owner, clientId, { url: receiver.origin + path, types: ["approval.resolved"] });
    receiver.on(path, (res) => {
      const { id } = JSON.parse(receiver.got.at(-1)?.body ?? "{}").data as { id: string };
      waiting.get(id)?.();
      waiting.delete(id);
      if (at < hooks - 1) res.writeHead(204).end();
    });
    const arrived = (id: string) => new Promise<void>((resolve) => waiting.set(id, resolve));
    hooked.push({ token: await newToken(owner, clientId), arrived });
  }
  await closePubsub();
  await closeDb();
  const instances: [Instance, Instance] = [await startOurs(url), await startOurs(url)];
  return {
    instances,
    tokens,
    mcpToken,
    hooked,
    close: async () => {
      receiver.close();
      await Promise.all(instances.map(({ child }) => end(child)));
      await endPostgres();
    },
  };
}
