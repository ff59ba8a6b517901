import { createServer } from "node:net";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { db } from "@/lib/database/db";
import { configure } from "@/lib/testing/change-settings";
import { aDocument, startDocuments } from "@/lib/testing/client-metadata-server";
import { anOwner, aTokenFor } from "@/lib/testing/factories";
import { findClient, registerApp, requireClient } from "./apps";

const documents = await startDocuments();
afterAll(() => documents.close());
beforeEach(() => {
  configure({ ALLOW_PRIVATE_FETCH: documents.origin });
  documents.asked.length = 0;
});
const json = (url: string, members: object = {}) => JSON.stringify(aDocument(url, members));
const pathOf = (url: string) => new URL(url).pathname;
const asked = (url: string) => documents.asked.filter((path) => path === pathOf(url)).length;
const rowOf = (metadataUrl: string) => db.app.findUniqueOrThrow({ where: { metadataUrl } });
/** Simulates that this many seconds have passed since the fetch. */
const age = (url: string, seconds: number) => db.$executeRaw`
  UPDATE app SET metadata_fresh_until = metadata_fresh_until - make_interval(secs => ${seconds}::int),
    metadata_good_until = metadata_good_until - make_interval(secs => ${seconds}::int) WHERE metadata_url = ${url}`;
const freshFor = async (url: string) => {
  const [{ seconds }] = await db.$queryRaw<[{ seconds: number }]>`
    SELECT round(extract(epoch FROM metadata_fresh_until - now()))::int AS seconds FROM app WHERE metadata_url = ${url}`;
  return seconds;
};

describe("client IDs that are URLs", () => {
  it("registers an app from its metadata document", async () => {
    const url = documents.publish({
      client_name: "Paper Plane",
      redirect_uris: ["http://127.0.0.1/callback", "http://localhost/callback"],
      token_endpoint_auth_method: "none",
      client_uri: "https://plane.example",
      application_type: "native",
    });
    const client = await findClient(url);
    expect(client).toMatchObject({
      clientId: expect.stringMatching(/^app_/),
      name: "Paper Plane",
      kind: "metadata",
      ownerId: null,
      redirectUris: ["http://127.0.0.1/callback", "http://localhost/callback"],
      public: true,
      secretHash: null,
      grantTypes: ["authorization_code", "refresh_token"],
    });
    expect(await findClient(client?.clientId ?? "")).toEqual(client);
    expect(await findClient(url)).toEqual(client);
    expect(asked(url)).toBe(1);
  });

  it("fetches a document only once for concurrent callers", async () => {
    const url = documents.publish({}, { delay: 100 });
    const found = await Promise.all(Array.from({ length: 8 }, () => findClient(url)));
    expect(new Set(found.map((client) => client?.clientId)).size).toBe(1);
    expect(asked(url)).toBe(1);
    expect(await db.app.count({ where: { metadataUrl: url } })).toBe(1);
  });

  it("ignores unsupported redirect URIs in a metadata document", async () => {
    const url = documents.publish({
      redirect_uris: ["myapp:/cb", 7, "http://evil.example/", "https://plane.example/cb"],
    });
    expect((await findClient(url))?.redirectUris).toEqual(["https://plane.example/cb"]);
    const bad = documents.publish({ redirect_uris: ["javascript:alert(1)"] });
    await expect(requireClient(bad)).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining("redirect_uris"),
    });
  });

  it.each<[string, Parameters<typeof documents.publish>[0], Parameters<typeof documents.publish>[1], string]>([
    ["another client_id", { client_id: "https://else.example/client" }, {}, "client_id"],
    ["no client_id", { client_id: undefined }, {}, "client_id"],
    ["no name", { client_name: undefined }, {}, "client_name"],
    ["a forbidden name", { client_name: "Official Countersign" }, {}, "the name of this service"],
    ["a name that mixes alphabets", { client_name: "PаyPal" }, {}, "alphabets"],
    ["no redirect URIs", { redirect_uris: undefined }, {}, "redirect_uris"],
    ["a secret", { client_secret: "x" }, {}, "secret"],
    ["a secret's expiry", { client_secret_expires_at: 0 }, {}, "secret"],
    ["a shared-secret method", { token_endpoint_auth_method: "client_secret_post" }, {}, "must be none"],
    ["an unsupported authentication method", { token_endpoint_auth_method: "private_key_jwt" }, {}, "must be none"],
    ["only unsupported grant types", { grant_types: ["client_credentials"] }, {}, "grant_types"],
    [
      "another media type",
      {},
      { headers: { "content-type": "text/html" } },
      "The Content-Type of the document must be application/json",
    ],
    [
      "a media type with the same prefix",
      {},
      { headers: { "content-type": "application/jsonp" } },
      "The Content-Type of the document must be application/json",
    ],
    ["invalid JSON", {}, { body: "{" }, "not JSON"],
    ["JSON that is not an object", {}, { body: "[]" }, "JSON object"],
    ["more than 5 kB", { logo_uri: "x".repeat(5200) }, {}, "Could not read"],
    ["a redirect", {}, { status: 302, headers: { location: "/client-1.json" } }, "must respond with status 200"],
    ["an error response", {}, { status: 500 }, "must respond with status 200"],
    ["no content", {}, { status: 204 }, "must respond with status 200"],
  ])("rejects a metadata document with %s", async (_, members, reply, why) => {
    const url = documents.publish(members, reply);
    await expect(requireClient(url)).rejects.toMatchObject({ status: 400, message: expect.stringContaining(why) });
    expect(await findClient(url)).toBeNull();
    expect(asked(url)).toBe(2);
    expect(await db.app.count({ where: { metadataUrl: url } })).toBe(0);
  });

  it("accepts a metadata document with another JSON media type", async () => {
    const url = documents.publish({}, { headers: { "content-type": "application/oauth-client+json; charset=utf-8" } });
    expect(await findClient(url)).not.toBeNull();
  });

  it("reveals no network details about a metadata document's unreachable host", async () => {
    configure({ ALLOW_PRIVATE_FETCH: "http://127.0.0.1:9" });
    await expect(requireClient("http://127.0.0.1:9/client")).rejects.toMatchObject({
      status: 400,
      message:
        "Could not read the app's metadata document from 127.0.0.1:9. Try again, or report the problem to the app's developer.",
    });
  });

  it("never fetches a metadata document from a private address", async () => {
    let visits = 0;
    const canary = createServer(() => visits++);
    await new Promise<void>((resolve) => canary.listen(0, "::", resolve));
    configure({ ALLOW_PRIVATE_FETCH: undefined });
    const { port } = canary.address() as { port: number };
    for (const host of [
      "127.0.0.1",
      "localhost",
      "[::1]",
      "2130706433",
      "0x7f.1",
      "[::ffff:7f00:1]",
      "localhost.localdomain",
    ]) {
      expect(await findClient(`https://${host}:${port}/client`)).toBeNull();
      expect(await findClient(`http://${host}:${port}/client`)).toBeNull();
    }
    expect(visits).toBe(0);
    canary.close();
  });

  it.each(["Paper Lantern", "Paper 1antern"])(
    "accepts a document whose app name resembles a registered app's name: %s",
    async (client_name) => {
      await registerApp(await anOwner(), { name: "Paper Lantern" });
      expect(await findClient(documents.publish({ client_name }))).toMatchObject({ name: client_name });
    },
  );
});

describe("stored documents", () => {
  it("fetches an expired document again", async () => {
    const url = documents.publish({}, { headers: { "cache-control": "max-age=600" } });
    const before = await findClient(url);
    expect(await freshFor(url)).toBe(600);
    documents.put(pathOf(url), {
      body: json(url, { client_name: "Paper Kite", redirect_uris: ["https://kite.example/cb"] }),
    });
    await age(url, 599);
    expect(await findClient(url)).toEqual(before);
    await age(url, 2);
    const after = await findClient(url);
    expect(after).toMatchObject({
      clientId: before?.clientId,
      name: "Paper Kite",
      redirectUris: ["https://kite.example/cb"],
    });
    expect(asked(url)).toBe(2);
    expect(await freshFor(url)).toBe(3600);
  });

  it("refreshes an expired document when the app is looked up by ID", async () => {
    const url = documents.publish();
    const { clientId = "" } = (await findClient(url)) ?? {};
    documents.put(pathOf(url), { body: json(url, { redirect_uris: ["https://kite.example/cb"] }) });
    await age(url, 3601);
    expect((await findClient(clientId))?.redirectUris).toEqual(["https://kite.example/cb"]);
  });

  it("keeps an expired document valid for a day if fetches fail", async () => {
    const url = documents.publish({}, { headers: { "cache-control": "max-age=600" } });
    const kept = await findClient(url);
    documents.put(pathOf(url), { status: 500 });
    await age(url, 601);
    expect(await findClient(url)).toEqual(kept);
    expect(await findClient(url)).toEqual(kept);
    expect(asked(url)).toBe(2);
    expect(await freshFor(url)).toBe(30);
    await age(url, 31);
    expect(await findClient(url)).toEqual(kept);
    expect(asked(url)).toBe(3);
    await age(url, 86_400);
    expect(await findClient(url)).toBeNull();
    expect(asked(url)).toBe(4);
    documents.put(pathOf(url), { body: json(url) });
    expect((await findClient(url))?.clientId).toBe(kept?.clientId);
  });

  it("keeps the name of a connected app when the app's document changes", async () => {
    const url = documents.publish({ client_name: "Paper Crane" });
    const { clientId = "" } = (await findClient(url)) ?? {};
    await aTokenFor(await anOwner(), clientId, ["approvals:read"]);
    documents.put(pathOf(url), {
      body: json(url, { client_name: "Your bank", redirect_uris: ["https://kite.example/cb"] }),
    });
    await age(url, 3601);
    expect(await findClient(url)).toMatchObject({ name: "Paper Crane", redirectUris: ["https://kite.example/cb"] });
    expect((await rowOf(url)).nameSkeleton).toBe("papercrane");
  });

  it("limits new metadata documents per minute and host", async () => {
    const urls = Array.from({ length: 70 }, () => documents.publish());
    await db.throttle.deleteMany();
    const found = await Promise.allSettled(
      urls.map(async (url, n) => {
        await new Promise((resolve) => setTimeout(resolve, n * 5));
        return findClient(url);
      }),
    );
    const refused = found.filter((it) => it.status === "rejected");
    expect(found.filter((it) => it.status === "fulfilled").length).toBeLessThanOrEqual(60);
    for (const it of refused) expect([429, 503]).toContain(it.reason.status);
    expect(documents.asked.length).toBeLessThanOrEqual(60);
    await db.throttle.deleteMany();
  });
});

describe("unresponsive documents", () => {
  const slow = () => documents.publish({}, { delay: 1500 });
  const outcome = (asked: Promise<unknown>) =>
    asked.then(
      () => "read",
      (refusal: { status: number }) => refusal.status,
    );

  it("fetches documents from other sites while one site hangs", async () => {
    const elsewhere = await startDocuments();
    configure({ ALLOW_PRIVATE_FETCH: `${documents.origin} ${elsewhere.origin}` });
    const waiting = Array.from({ length: 80 }, (_, at) => outcome(findClient(slow(), `192.0.2.${at}`)));
    await expect.poll(() => documents.asked.length).toBe(8);
    expect((await findClient(elsewhere.publish(), "198.51.100.1"))?.kind).toBe("metadata");
    const all = await Promise.all(waiting);
    expect(all.filter((it) => it === "read").length).toBe(8);
    expect(new Set(all)).toEqual(new Set(["read", 503]));
    elsewhere.close();
  });

  it("fetches other callers' documents while one caller's requests hang", async () => {
    const waiting = Array.from({ length: 20 }, () => outcome(findClient(slow(), "192.0.2.1")));
    await expect.poll(() => documents.asked.length).toBe(4);
    expect((await findClient(documents.publish(), "198.51.100.1"))?.kind).toBe("metadata");
    const all = await Promise.all(waiting);
    expect(all.filter((it) => it === "read").length).toBe(4);
    expect(new Set(all)).toEqual(new Set(["read", 503]));
  });

  it("counts only new metadata documents toward the limit per caller address", async () => {
    const from = "192.0.2.77";
    await db.throttle.deleteMany();
    const known = documents.publish();
    for (const url of [known, ...Array.from({ length: 29 }, () => documents.publish())])
      expect(await findClient(url, from)).not.toBeNull();
    await expect(findClient(documents.publish(), from)).rejects.toMatchObject({
      status: 429,
      headers: { "retry-after": expect.any(String) },
    });
    expect(await findClient(known, from)).not.toBeNull();
    expect(await findClient(documents.publish(), "192.0.2.78")).not.toBeNull();
    await db.throttle.deleteMany();
  });
});
