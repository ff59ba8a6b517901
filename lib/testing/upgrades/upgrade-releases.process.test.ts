import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from "jose";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newDataDir, removeDataDir } from "../data-dir";
import { versionOf } from "../release/one-version";
import { type Service, startService } from "../service-process";
import { inDatabase, query, type Throwaway, throwawayPostgres } from "../temporary-postgres";
import { aReceiver, verified } from "../webhook-receiver";
import { releaseDumps, restoreDump, schemaDigest } from "./release-dumps";

/*
 * Starts today's code on a database that each release filled. The dumps come from `npm run release
 * -- --prepare`.
 */

const dumps = releaseDumps();
let postgres: Throwaway;
beforeAll(async () => {
  postgres = await throwawayPostgres();
});
afterAll(() => postgres.end());

test("has a dump of this version with this schema (to update: npm run release -- --prepare)", () => {
  const root = process.cwd();
  const own = dumps.find(({ version }) => version === versionOf(root));
  expect(own?.schema).toBe(schemaDigest(root));
});

describe.each(dumps)("a database of release $version", (dump) => {
  const { contents, secret: SECRET, version } = dump;
  const dataDir = newDataDir();
  let service: Service;
  let receiver: Awaited<ReturnType<typeof aReceiver>>;
  beforeAll(async () => {
    const name = `release_${version.replaceAll(".", "_")}`;
    await query(postgres.url, `CREATE DATABASE ${name}`);
    const DATABASE_URL = inDatabase(postgres.url, name);
    await restoreDump(DATABASE_URL, dump);
    receiver = await aReceiver();
    await query(DATABASE_URL, `UPDATE public.webhook_endpoint SET url = '${receiver.origin}/events'`);
    const settings = { ALLOW_PRIVATE_FETCH: receiver.origin, RATE_LIMIT: "0", DATA_DIR: dataDir };
    service = await startService({ ...settings, DATABASE_URL, SECRET });
  });
  afterAll(async () => {
    await service?.stop();
    receiver?.close();
    removeDataDir(dataDir);
  });

  async function call(path: string, init: RequestInit = {}, token = contents.token) {
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const reply = await fetch(service.url + path, { headers, ...init });
    return { status: reply.status, text: await reply.text() };
  }
  const read = async (path: string) => JSON.parse((await call(path)).text);
  /** Returns all events of the app, in the order of the log. */
  async function events(after?: string): Promise<{ id: string; type: string; data: { id: string } }[]> {
    const { data } = await read(`/api/events?limit=100${after ? `&after=${after}` : ""}`);
    return data.length < 100 ? data : [...data, ...(await events(data.at(-1).id))];
  }

  test("returns every approval as before", async () => {
    for (const { id, body } of contents.approvals)
      expect(await call(`/api/approvals/${id}`)).toEqual({ status: 200, text: body });
  });

  test("publishes the keys of the receipts", async () => {
    const keys = createLocalJWKSet((await read("/.well-known/jwks.json")) as JSONWebKeySet);
    for (const { id, receipt } of contents.receipts)
      expect((await jwtVerify(receipt, keys)).payload).toMatchObject({ sub: id });
  });

  test("sends the held answer", async () => {
    const { id, optionId } = contents.held;
    await expect
      .poll(() => read(`/api/approvals/${id}`))
      .toMatchObject({ status: "resolved", resolution: { kind: "option", optionId, resolvedBy: "owner" } });
  });

  test("delivers the webhooks that were due", async () => {
    const { about, secret } = contents.webhook;
    const delivered = () =>
      receiver.got
        .map((each) => verified(secret, each))
        .filter(({ type }) => type === "approval.resolved")
        .map(({ data }) => data.id);
    await expect.poll(delivered).toEqual(expect.arrayContaining(about));
  });

  test("returns each event once and in order, and then new events", async () => {
    const before = await events();
    expect(new Set(before.map(({ id }) => id)).size).toBe(before.length);
    const resolved = before.filter(({ type }) => type === "approval.resolved").map(({ data }) => data.id);
    const expected = contents.approvals.map(({ id }) => id).filter((id) => resolved.includes(id));
    expect(resolved.filter((id) => id !== contents.held.id)).toEqual(expected);
    expect(expected.length).toBeGreaterThanOrEqual(12);

    const answer = { kind: "option", optionId: "ship" };
    const { status } = await call(`/api/approvals/${contents.pending}/resolve`, {
      method: "POST",
      body: JSON.stringify(answer),
    });
    expect(status).toBe(200);
    const later = async () => (await events(before.at(-1)?.id)).map(({ data }) => data.id);
    await expect.poll(later).toContain(contents.pending);
  });

  test("exchanges the refresh token of an OAuth app", async () => {
    const { clientId, refreshToken } = contents.oauth;
    const form = { grant_type: "refresh_token", client_id: clientId, refresh_token: refreshToken };
    const reply = await fetch(`${service.url}/oauth/token`, { method: "POST", body: new URLSearchParams(form) });
    expect(reply.status).toBe(200);
    const { access_token } = (await reply.json()) as { access_token: string };
    expect((await call("/api/approvals", {}, access_token)).status).toBe(200);
  });
});
