import { randomBytes } from "node:crypto";
import { expect, it, vi } from "vitest";
import { authenticate } from "@/lib/access/authorization";
import type { AppActor } from "@/lib/actor";
import { sweep } from "@/lib/cli/delete-expired-rows";
import { db, pool } from "@/lib/database/db";
import { shardOfOwner } from "@/lib/database/shards/each-shard";
import { revokeToken } from "@/lib/grants/personal-tokens";
import { hashSecret } from "@/lib/keys/secret-tokens";
import { startFront } from "@/lib/testing/api-server";
import { anAppWith, anOwner, aTokenFor } from "@/lib/testing/factories";
import { atEveryShard } from "@/lib/testing/shards/at-every-shard";
import { unknownSecret } from "@/lib/testing/unknown-secret";
import { listRequests, requestingApps } from "./list-requests";
import { flushRequests, type NotedRequest, noteRequest } from "./request-log";

const { ask } = await startFront();

const aRequest = (over: Partial<NotedRequest> = {}): NotedRequest => ({
  id: `req_${randomBytes(8).toString("hex")}`,
  operation: "listApprovals",
  method: "GET",
  path: "/api/approvals",
  status: 200,
  ms: 3,
  warnings: [],
  at: Date.now(),
  ...over,
});
const admitted = async (app: AppActor) => {
  await authenticate(app);
  return app;
};

it("lists apps' requests without their contents", async () => {
  const { owner, clientId, name, token } = await anAppWith("approvals:read", "notifications:write");
  const replies = [
    await ask("GET", "/api/approvals?status=pending", { token }),
    await ask("GET", `/api/approvals/apr_${"0".repeat(32)}`, { token }),
    await ask("POST", "/api/notifications", { token, body: { title: "Told in confidence" } }),
    await ask("POST", "/api/approvals", { token, body: { question: "Asked in confidence" } }),
    await ask("POST", "/api/notifications", { token, body: { titel: "x" } }),
  ];
  await flushRequests();
  const { items } = await listRequests(owner);
  expect(items.map(({ method, path, status }) => `${method} ${path} ${status}`).reverse()).toEqual([
    "GET /api/approvals 200",
    "GET /api/approvals/{id} 404",
    "POST /api/notifications 201",
    "POST /api/approvals 403",
    "POST /api/notifications 400",
  ]);
  expect(items.map(({ id }) => id).reverse()).toEqual(replies.map(({ headers }) => headers.get("x-request-id")));
  expect(items[0]).toMatchObject({ app: { appId: clientId, name }, warnings: [], more: 0 });
  for (const { at, ms } of items) {
    expect(Math.abs(at - Date.now())).toBeLessThan(10_000);
    expect(ms).toBeLessThan(10_000);
  }
  const { rows } = await pool().query<{ row: string }>("SELECT row_to_json(r)::text AS row FROM api_request r");
  for (const { row } of rows) expect(row).not.toMatch(/confidence|pending|csn_/);
  expect((await listRequests(owner, { refused: true })).items.map(({ status }) => status)).toEqual([400, 403, 404]);
  expect(await requestingApps(owner)).toEqual([{ appId: clientId, name }]);
});

it("shows invalid notification data as warnings", async () => {
  const { owner, token } = await anAppWith("notifications:write");
  const body = { title: "Build", data: { inbox: { url: "javascript:alert(1)", colour: "red" }, own: 1 } };
  const plain = await ask("POST", "/api/notifications", { token, body });
  const keyed = { token, body, headers: { "idempotency-key": "k1" } };
  await ask("POST", "/api/notifications", keyed);
  await ask("POST", "/api/notifications", keyed);
  expect(Object.keys(plain.body as object)).toEqual(["id"]);
  await flushRequests();
  const warnings = [expect.stringMatching(/^data\.inbox\.url: /), "data.inbox.colour: Unknown"];
  expect((await listRequests(owner)).items.map((item) => item.warnings)).toEqual([[], warnings, warnings]);
});

it("attributes a revoked token's requests to the token's owner", async () => {
  const { owner, token } = await anAppWith("approvals:read");
  await revokeToken(owner, token);
  const { rows: before } = await pool().query("SELECT id FROM api_request");
  await ask("GET", "/api/approvals", { token });
  await ask("GET", "/api/approvals", { token: "csn_pat_nonsense" });
  await ask("GET", "/api/approvals");
  const made: AppActor = { kind: "app", tokenHash: hashSecret(unknownSecret("at")), needs: null, resource: "api" };
  noteRequest(made, aRequest({ status: 401 }));
  await flushRequests();
  expect((await listRequests(owner)).items).toMatchObject([{ path: "/api/approvals", status: 401 }]);
  const { rows: after } = await pool().query("SELECT id FROM api_request");
  expect(after.length).toBe(before.length + 1);
});

it("shows each owner only the app's requests for that owner", async () => {
  const { owner, clientId, app } = await anAppWith("approvals:read");
  const other = await anOwner();
  const theirs = await aTokenFor(other, clientId, ["approvals:read"]);
  noteRequest(await admitted(app), aRequest({ path: "/mine" }));
  noteRequest(await admitted(theirs.app), aRequest({ path: "/theirs" }));
  await flushRequests();
  expect((await listRequests(owner)).items.map(({ path }) => path)).toEqual(["/mine"]);
  expect((await listRequests(other, { appId: clientId })).items.map(({ path }) => path)).toEqual(["/theirs"]);
  const theirId = (await listRequests(other)).items[0]?.id ?? "";
  expect((await listRequests(owner, { before: theirId })).items).toEqual([]);
});

it("counts requests beyond the limit without storing them", async () => {
  const { owner, app } = await anAppWith("approvals:read");
  await admitted(app);
  const query = vi.spyOn(pool(shardOfOwner(owner.ownerId)), "query");
  for (let n = 0; n < 1000; n++) noteRequest(app, aRequest({ warnings: ["data.inbox.colour is not known"] }));
  for (let n = 0; n < 3; n++) noteRequest(app, aRequest({ status: 404 }));
  await flushRequests();
  const writes = query.mock.calls.filter(([it]) =>
    (it as unknown as { text?: string }).text?.includes("INTO api_request"),
  );
  expect(writes).toHaveLength(1);
  query.mockRestore();
  const rows = await db.apiRequest.findMany({ where: { ownerId: owner.ownerId } });
  const well = rows.filter(({ status }) => status === 200);
  expect(well.length).toBeLessThanOrEqual(202);
  expect(well.reduce((sum, { more }) => sum + 1 + more, 0)).toBe(1000);
  expect(rows.filter(({ status }) => status === 404)).toHaveLength(3);
  expect(well[0]?.warnings).toEqual(["data.inbox.colour is not known"]);
});

it("flushes recorded requests automatically", async () => {
  const { owner, app } = await anAppWith("approvals:read");
  await admitted(app);
  for (let n = 0; n < 120; n++) noteRequest(app, aRequest({ at: Date.now() - n * 7 }));
  await expect.poll(() => db.apiRequest.count({ where: { ownerId: owner.ownerId } })).toBe(120);
  const first = await listRequests(owner);
  const second = await listRequests(owner, { before: first.next });
  const third = await listRequests(owner, { before: second.next });
  const ids = [first, second, third].flatMap(({ items }) => items.map(({ id }) => id));
  expect([first.items.length, second.items.length, third.items.length, third.next]).toEqual([50, 50, 20, undefined]);
  expect(new Set(ids).size).toBe(120);
});

it("discards recorded requests while the database is unavailable", async () => {
  const { owner, app } = await anAppWith("approvals:read");
  await admitted(app);
  const written = vi.spyOn(process.stderr, "write").mockImplementation(() => true);
  const query = vi
    .spyOn(pool(shardOfOwner(owner.ownerId)), "query")
    .mockRejectedValue(new Error("the database is away") as never);
  for (let n = 0; n < 5; n++) noteRequest(app, aRequest());
  await flushRequests();
  query.mockRestore();
  const told = written.mock.calls.map(String).join("\n");
  written.mockRestore();
  expect(told).toMatch(/could not record some requests/);
  expect(told).toMatch(/count\W+5/);
  noteRequest(app, aRequest({ path: "/later" }));
  await flushRequests();
  expect((await listRequests(owner)).items.map(({ path }) => path)).toEqual(["/later"]);
});

it("deletes recorded requests after seven days", async () => {
  const { owner, app } = await anAppWith("approvals:read");
  await admitted(app);
  noteRequest(app, aRequest({ path: "/young", at: Date.now() - 6.9 * 86_400_000 }));
  noteRequest(app, aRequest({ path: "/old", at: Date.now() - 7.1 * 86_400_000 }));
  await flushRequests();
  expect((await listRequests(owner)).items.map(({ path }) => path)).toEqual(["/young"]);
  await atEveryShard(sweep);
  expect((await db.apiRequest.findMany({ where: { ownerId: owner.ownerId } })).map(({ path }) => path)).toEqual([
    "/young",
  ]);
});
