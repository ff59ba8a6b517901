import { randomBytes } from "node:crypto";
import { beforeEach, expect, test, vi } from "vitest";
import { pool } from "@/lib/database/db";
import { createPersonalToken } from "@/lib/grants/personal-tokens";
import { derivedSecret, hashSecret } from "@/lib/keys/secret-tokens";
import { introspectEndpoint } from "@/lib/oauth/introspect-endpoint";
import { revokeEndpoint } from "@/lib/oauth/revoke-endpoint";
import { letIn } from "@/lib/testing/factories";
import { aGrantedToken, askForm, askToken, type TokenReply } from "@/lib/testing/oauth-flow";
import { statementsWith } from "@/lib/testing/spied-sql-statements";
import { anOwnerWithHome, aParty, here, setUpTwoShards } from "@/lib/testing/two-shards";
import { mcpEndpoint } from "./mcp";
import { serveRequest } from "./route-request";

/*
 * During the upgrade to homes, an instance of the previous version issues secrets without a home to
 * owners who have one. The owners with the homes 0 and 700 are on different shards.
 */

const shards = setUpTwoShards();

/** What this process has found out about secrets, as a new process would not know it. */
const forget = () =>
  (globalThis as unknown as { countersign: Map<string, unknown> }).countersign.delete("homes of secrets");
beforeEach(() => void forget());

/** Creates an app of the directory's owner, and an owner who connects the app. */
const party = (home: number) => aParty(shards, here, () => anOwnerWithHome(home));

/** Replaces a secret in both databases by one without a home, as the previous version issues it. */
async function without(kind: "at" | "rt" | "pat", secret: string): Promise<string> {
  const former = derivedSecret(kind, randomBytes(32), undefined);
  for (const client of shards.clients)
    await client.query(`UPDATE ${kind === "rt" ? "refresh_token" : "token"} SET hash = $2 WHERE hash = $1`, [
      hashSecret(secret),
      hashSecret(former),
    ]);
  return former;
}

async function aPersonalToken(home: number): Promise<string> {
  const { owner, app } = await party(home);
  await letIn(owner, app.clientId);
  const { token } = await createPersonalToken(owner, { clientId: app.clientId, scopes: ["approvals:read"] });
  return without("pat", token);
}

const listWith = async (token: string) => {
  const headers = { authorization: `Bearer ${token}` };
  return (await serveRequest(new Request("http://localhost/api/approvals", { headers }))).status;
};
/** Counts the statements that look up an owner by a secret, on both shards. */
async function lookups(work: () => Promise<unknown>): Promise<number> {
  const spies = [0, 1].map((shard) => vi.spyOn(pool(shard), "query"));
  await work();
  const counts = spies.map((spy) => statementsWith("SELECT owner_id FROM token", spy).length);
  for (const spy of spies) spy.mockRestore();
  return counts.reduce((sum, count) => sum + count, 0);
}

test.each([
  ["the shard of home 0", 0, 1],
  ["another shard", 700, 2],
])("accepts a token of an owner on %s, and remembers the home", async (_, home, statements) => {
  const token = await aPersonalToken(home);
  expect(await lookups(async () => expect(await listWith(token)).toBe(200))).toBe(statements);
  expect(await lookups(async () => expect(await listWith(token)).toBe(200))).toBe(0);
});

test("accepts a token at the MCP endpoint", async () => {
  const { owner, app } = await party(700);
  const { token } = await aGrantedToken({ owner, app }, { resource: "http://localhost:3000/api/mcp" });
  const former = await without("at", token);
  const reply = await mcpEndpoint(
    new Request("http://localhost:3000/api/mcp", {
      method: "POST",
      headers: {
        authorization: `Bearer ${former}`,
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        host: "localhost:3000",
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" }),
    }),
  );
  expect(reply.status).toBe(200);
});

test("refreshes, introspects and revokes tokens", async () => {
  const { owner, app } = await party(700);
  const { reply } = await aGrantedToken({ owner, app }, { scope: "approvals:read" });
  const client = { client_id: app.clientId, client_secret: app.clientSecret };
  let refresh = await without("rt", reply.refresh_token);
  for (let nth = 0; nth < 2; nth++) {
    forget();
    const renewed = await askToken({ ...client, grant_type: "refresh_token", refresh_token: refresh });
    expect(renewed.status).toBe(200);
    const tokens = (await renewed.json()) as TokenReply;
    refresh = tokens.refresh_token;
    expect(await listWith(tokens.access_token)).toBe(200);
  }
  const access = await without("at", reply.access_token);
  for (const token of [refresh, access]) {
    forget();
    const described = await askForm(introspectEndpoint, { ...client, token });
    expect(await described.json()).toMatchObject({ active: true, sub: owner.ownerId });
  }
  forget();
  await askForm(revokeEndpoint, { ...client, token: access });
  expect(await listWith(access)).toBe(401);
  forget();
  await askForm(revokeEndpoint, { ...client, token: refresh });
  expect((await askToken({ ...client, grant_type: "refresh_token", refresh_token: refresh })).status).toBe(400);
});

const unknown = () => derivedSecret("pat", randomBytes(32), undefined);

test("rejects an unknown token with 401, and asks every shard again", async () => {
  const token = unknown();
  for (let nth = 0; nth < 2; nth++) expect(await lookups(async () => expect(await listWith(token)).toBe(401))).toBe(2);
});

test.each([0, 1])("returns 503 for an unknown token while shard %i is away", async (shard) => {
  shards.gates[shard]!.close();
  expect(await listWith(unknown())).toBe(503);
});

test("accepts a token of an owner on another shard while the shard of home 0 is away", async () => {
  const token = await aPersonalToken(700);
  // The app and its owner are read from copies.
  shards.gates[0].close();
  expect(await listWith(token)).toBe(200);
});

test("looks up no secret with a home", async () => {
  const { owner, app } = await party(0);
  const { token } = await aGrantedToken({ owner, app }, { scope: "approvals:read" });
  expect(await lookups(async () => expect(await listWith(token)).toBe(200))).toBe(0);
});
