import http from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it, vi } from "vitest";
import { freePort } from "@/lib/net/free-port";
import { Countersign, CountersignError, NoAnswerError, refreshingToken } from "./countersign";

type ReceivedRequest = {
  method: string;
  path: string;
  key: string | undefined;
  token: string | undefined;
  body: unknown;
};
type ClientOptions = Partial<ConstructorParameters<typeof Countersign>[0]>;
type AskedByForm = ReceivedRequest & { form?: Record<string, string>; version?: string | string[] };
type Reply = { status?: number; headers?: Record<string, string>; body?: unknown; text?: string; drop?: true };

const servers: http.Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close().closeAllConnections();
});

/**
 * Starts a service with scripted responses that records its requests. The last response repeats
 * forever.
 */
async function aService(...replies: (Reply | ((asked: AskedByForm) => Reply))[]) {
  const asked: AskedByForm[] = [];
  const server = http.createServer((req, res) => {
    let text = "";
    req.on("data", (piece) => (text += piece));
    req.on("end", () => {
      const { "idempotency-key": key, authorization, "countersign-version": version } = req.headers;
      const isForm = req.headers["content-type"]?.startsWith("application/x-www-form-urlencoded");
      const it = {
        method: req.method ?? "",
        path: req.url ?? "",
        key: key as string | undefined,
        token: authorization,
        body: text && !isForm ? JSON.parse(text) : undefined,
        ...(version !== undefined && { version }),
        ...(isForm && { form: Object.fromEntries(new URLSearchParams(text)) }),
      };
      const next = replies[Math.min(asked.length, replies.length - 1)] as Reply | ((asked: AskedByForm) => Reply);
      asked.push(it);
      const { status = 200, headers = {}, body, text: raw, drop } = typeof next === "function" ? next(it) : next;
      if (drop) return res.destroy();
      res.writeHead(status, { "content-type": "application/json", ...headers }).end(raw ?? JSON.stringify(body));
    });
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const baseUrl = `http://127.0.0.1:${port}`;
  const client = (more: ClientOptions = {}) =>
    new Countersign({ baseUrl, token: "csn_pat_x", patienceMs: 3_000, ...more });
  return { asked, baseUrl, owner: client(), client };
}

const question = { question: "Ship?", options: [{ id: "yes", label: "Yes" }] };
const resolution = { kind: "option", optionId: "yes", resolvedBy: "owner", resolvedAt: 1 };
const pending = { _id: "apr_a", status: "pending" };
const resolved = { _id: "apr_a", status: "resolved", resolution };
const created = { status: 201, body: { id: "apr_a", ...pending }, headers: { "retry-after": "0" } };
const again = { body: pending, headers: { "retry-after": "0" } };

describe("URL and token", () => {
  afterEach(() => {
    vi.unstubAllEnvs();
    vi.unstubAllGlobals();
  });
  const given = { baseUrl: "https://given.example", token: "csn_pat_given" };

  it("reads the URL and token from options or the environment", async () => {
    const { baseUrl, asked } = await aService({ body: { data: [] } });
    vi.stubEnv("COUNTERSIGN_URL", baseUrl);
    vi.stubEnv("COUNTERSIGN_TOKEN", "csn_pat_env");
    await new Countersign().integrations.list();
    expect(asked).toMatchObject([{ token: "Bearer csn_pat_env" }]);
    expect(new Countersign({ token: "" }).connection).toEqual({ baseUrl, token: "csn_pat_env" });
    expect(new Countersign(given).connection).toEqual(given);
    vi.stubEnv("COUNTERSIGN_ALLOW_SIMULATED", "1");
    expect(new Countersign(given).connection.allowSimulated).toBe(true);
    expect(new Countersign({ ...given, allowSimulated: false }).connection.allowSimulated).toBe(false);
  });

  it("throws immediately if the URL or token is missing", () => {
    vi.stubEnv("COUNTERSIGN_URL", "");
    vi.stubEnv("COUNTERSIGN_TOKEN", undefined);
    const { baseUrl, token } = given;
    expect(() => new Countersign({ token })).toThrow(
      new TypeError("The service address is missing. Pass baseUrl, or set COUNTERSIGN_URL."),
    );
    for (const missing of [undefined, ""])
      expect(() => new Countersign({ baseUrl, token: missing })).toThrow(
        new TypeError("The token is missing. Pass token, or set COUNTERSIGN_TOKEN."),
      );
  });

  it("requires the URL and token as options in a browser", () => {
    vi.stubGlobal("process", undefined);
    expect(() => new Countersign({ token: "x" })).toThrow(
      new TypeError("The service address is missing. Pass baseUrl."),
    );
    expect(() => new Countersign({ baseUrl: "https://x.example" })).toThrow(
      new TypeError("The token is missing. Pass token."),
    );
    expect(new Countersign(given).connection).toEqual(given);
  });
});

describe("ask", () => {
  it("calls onAsked with the question's ID before waiting for the answer", async () => {
    const { owner, asked } = await aService({ status: 201, body: { id: "apr_a" } }, { body: resolved });
    const ids: string[] = [];
    await owner.ask({ ...question, onAsked: (id) => ids.push(`${id} after ${asked.length}`) });
    expect(ids).toEqual(["apr_a after 1"]);
    expect(asked.map(({ path }) => path)).toEqual(["/api/approvals", "/api/approvals/apr_a?wait=60"]);
  });

  it("submits a question and waits in a single request", async () => {
    const { owner, asked } = await aService({ status: 201, body: { id: "apr_a", ...resolved } });
    const answer = await owner.ask(question);
    expect(answer).toMatchObject({
      id: "apr_a",
      chosen: "yes",
      text: undefined,
      by: "owner",
      simulated: false,
      resolution,
    });
    expect([answer.yes("yes"), answer.yes("no")]).toEqual([true, false]);
    expect(asked).toMatchObject([
      { method: "POST", path: "/api/approvals?wait=60", token: "Bearer csn_pat_x", body: question },
    ]);
    expect(asked[0]?.key).toMatch(/^[0-9a-f-]{36}$/);
  });

  it("repeats the wait until there is an answer", async () => {
    const { owner, asked } = await aService(created, again, again, { body: resolved });
    expect((await owner.ask(question)).yes("yes")).toBe(true);
    expect(asked.map(({ method, path }) => `${method} ${path}`)).toEqual([
      "POST /api/approvals?wait=60",
      ...Array(3).fill("GET /api/approvals/apr_a?wait=60"),
    ]);
  });

  it("retries a request after broken connections, restarts and temporary errors", async () => {
    const { owner, asked } = await aService(
      { drop: true },
      { status: 503, body: { error: "Service unavailable" }, headers: { "retry-after": "0" } },
      { status: 429, body: { error: "Too many requests" }, headers: { "retry-after": "0" } },
      { status: 502, text: "<html>Bad gateway</html>", headers: { "retry-after": "0" } },
      created,
      { drop: true },
      { status: 504, text: "", headers: { "retry-after": "0" } },
      { body: resolved },
    );
    expect((await owner.ask({ ...question, key: "deploy 418" })).chosen).toBe("yes");
    expect(asked.slice(0, 5).map(({ key }) => key)).toEqual(Array(5).fill("deploy 418"));
    expect(asked).toHaveLength(8);
  });

  it("returns the owner's written answer and note", async () => {
    const own = { kind: "other", otherText: "Tomorrow", note: "Please", resolvedBy: "owner", resolvedAt: 1 };
    const first = await aService({
      status: 201,
      body: { id: "apr_a", ...pending, status: "resolved", resolution: own },
    });
    const answer = await first.owner.ask(question);
    expect(answer).toMatchObject({ chosen: undefined, text: "Tomorrow", note: "Please", by: "owner" });
    expect(answer.yes("yes")).toBe(false);
    const api = { ...resolution, resolvedBy: "api" };
    const second = await aService({ status: 201, body: { id: "apr_a", ...resolved, resolution: api } });
    expect((await second.owner.ask(question)).yes("yes")).toBe(false);
    const simulated = { ...resolution, note: "Simulated: rule 1" };
    const third = await aService({ status: 201, body: { id: "apr_a", ...resolved, resolution: simulated } });
    const played = await third.owner.ask(question);
    expect([played.simulated, played.chosen, played.yes("yes")]).toEqual([true, "yes", false]);
    expect((await third.client({ allowSimulated: true }).ask(question)).yes("yes")).toBe(true);
  });

  it("throws NoAnswerError after the timeout", async () => {
    const { owner, asked } = await aService(created, { body: pending, headers: { "retry-after": "1" } });
    const began = performance.now();
    const late = await owner.ask({ ...question, timeoutMs: 1_400 }).catch((error) => error);
    expect(late).toBeInstanceOf(NoAnswerError);
    expect(late).toMatchObject({ id: "apr_a", deadlinePassed: false });
    expect(performance.now() - began).toBeGreaterThan(1_300);
    expect(asked.map(({ path }) => path).slice(0, 2)).toEqual(["/api/approvals", "/api/approvals/apr_a?wait=1"]);
    const nobody = new Countersign({ baseUrl: "http://127.0.0.1:9", token: "x" });
    await expect(nobody.ask({ ...question, timeoutMs: 200 })).rejects.toMatchObject({
      name: "NoAnswerError",
      id: undefined,
    });
  });

  it("stops waiting when the caller's signal aborts", async () => {
    const { owner } = await aService(created, { body: pending, headers: { "retry-after": "30" } });
    await expect(owner.ask({ ...question, signal: AbortSignal.timeout(100) })).rejects.toMatchObject({
      name: "TimeoutError",
    });
    const away = await aService({ status: 503, body: {}, headers: { "retry-after": "30" } });
    await expect(away.owner.ask({ ...question, signal: AbortSignal.timeout(100) })).rejects.toMatchObject({
      name: "TimeoutError",
    });
  });

  it("throws NoAnswerError after the question's deadline", async () => {
    const { owner } = await aService(created, { body: { ...pending, deadlinePassed: true } });
    await expect(owner.ask(question)).rejects.toMatchObject({ name: "NoAnswerError", deadlinePassed: true });
  });

  it("calls onQuestion only once per clarification", async () => {
    const one = { ...pending, questions: [{ text: "Why now?", createdAt: 1 }] };
    const two = { ...pending, questions: [...one.questions, { text: "Who says so?", createdAt: 2 }] };
    const reply = (body: unknown) => ({ body, headers: { "retry-after": "0" } });
    const { owner, asked } = await aService(created, reply(one), reply({ ok: true }), reply(one), reply(two), {
      body: resolved,
    });
    const heard: string[] = [];
    const onQuestion = (text: string, id: string) => {
      heard.push(`${id} ${text}`);
      return text === "Why now?" ? "It is Monday" : undefined;
    };
    expect((await owner.ask({ ...question, onQuestion })).chosen).toBe("yes");
    expect(heard).toEqual(["apr_a Why now?", "apr_a Who says so?"]);
    const posts = asked.filter(({ path }) => path.endsWith("/additions"));
    expect(posts).toMatchObject([{ path: "/api/approvals/apr_a/additions", body: { text: "It is Monday" } }]);
  });

  it("does not repeat a reply to a clarification after a restart", async () => {
    const questions = [
      { text: "Why now?", createdAt: 1 },
      { text: "Who says so?", createdAt: 3 },
    ];
    const known = { ...pending, questions, additions: [{ text: "It is Monday", createdAt: 2 }] };
    const refused = { status: 409, body: { error: "Already resolved" } };
    const { owner, asked } = await aService({ ...created, body: { id: "apr_a", ...known } }, refused, {
      body: resolved,
    });
    const heard: string[] = [];
    const onQuestion = (text: string) => `${heard.push(text)}`;
    expect((await owner.ask({ ...question, onQuestion })).chosen).toBe("yes");
    expect([heard, asked.length]).toEqual([["Who says so?"], 3]);
  });

  it("reports a rejected field without retrying the request", async () => {
    const details = [{ path: "options", message: "Required" }];
    const { owner, asked } = await aService({
      status: 400,
      body: { error: "Bad request", details },
      headers: { "x-request-id": "req_1" },
    });
    const error = await owner.ask(question).catch((thrown) => thrown);
    expect(error).toBeInstanceOf(CountersignError);
    expect(error).toMatchObject({
      message: "Bad request: options: Required",
      status: 400,
      details,
      requestId: "req_1",
    });
    expect(asked).toHaveLength(1);
  });
});

describe("other calls", () => {
  it("retries a notification with the same idempotency key", async () => {
    const away = { status: 503, body: {}, headers: { "retry-after": "0" } };
    const { owner, asked } = await aService(away, { status: 201, body: { id: "ntf_a" } });
    expect(await owner.notifications.create({ title: "Done" })).toBe("ntf_a");
    expect(asked.map(({ path, body }) => [path, body])).toEqual(
      Array(2).fill(["/api/notifications", { title: "Done" }]),
    );
    expect(asked[0]?.key).toBe(asked[1]?.key);
  });

  it("sends the expected method, path and body to list, read and resolve approvals", async () => {
    const { owner, asked } = await aService({ body: { data: [], ok: true } });
    await owner.approvals.list({ status: "pending", limit: 5 });
    await owner.approvals.get("apr/../x");
    await owner.approvals.resolve("apr_a", { optionId: "yes" });
    await owner.approvals.resolve("apr_a", { otherText: "Later", note: "x" }, { key: "k" });
    await owner.integrations.list();
    expect(asked.map(({ method, path }) => `${method} ${path}`)).toEqual([
      "GET /api/approvals?status=pending&limit=5",
      "GET /api/approvals/apr%2F..%2Fx",
      ...Array(2).fill("POST /api/approvals/apr_a/resolve"),
      "GET /api/integrations",
    ]);
    expect(asked.slice(2, 4).map(({ body }) => body)).toEqual([
      { kind: "option", optionId: "yes" },
      { kind: "other", otherText: "Later", note: "x" },
    ]);
    expect(asked[3]?.key).toBe("k");
  });

  it("names the unreachable service's address in the error", async () => {
    const nobody = new Countersign({ baseUrl: "http://127.0.0.1:9", token: "x", patienceMs: 300 });
    const port = await freePort();
    const closed = new Countersign({ baseUrl: `http://127.0.0.1:${port}/base`, token: "x", patienceMs: 0 });
    await expect(nobody.approvals.get("apr_a")).rejects.toMatchObject({ name: "CountersignError", status: 0 });
    await expect(closed.approvals.get("apr_a")).rejects.toThrow(
      `Could not connect to the service at http://127.0.0.1:${port} (connect ECONNREFUSED 127.0.0.1:${port})`,
    );
    const named = async (cause: unknown) => {
      const fetch = () => Promise.reject(cause);
      const client = new Countersign({ baseUrl: "https://a.example", token: "x", patienceMs: 0, fetch });
      return ((await client.integrations.list().catch((error) => error)) as Error).message;
    };
    const several = new AggregateError([new Error("connect ECONNREFUSED ::1:4"), new Error("connect ECONNREFUSED 4")]);
    expect(await named(new TypeError("fetch failed", { cause: several }))).toMatch(/ECONNREFUSED 4\)$/);
    expect(await named(new DOMException("aborted due to timeout", "TimeoutError"))).toMatch(
      / \(no response in time\)$/,
    );
  });

  it("reports each retry's attempt, delay and reason", async () => {
    const away = { status: 503, body: { error: "Service unavailable" }, headers: { "retry-after": "0" } };
    const { client } = await aService(away, { drop: true }, { status: 201, body: { id: "apr_a" } });
    const retries: unknown[] = [];
    await client({ onRetry: (retry) => retries.push(retry) }).approvals.create(question);
    expect(retries).toEqual([
      { attempt: 1, delayMs: 0, reason: expect.objectContaining({ status: 503 }) },
      { attempt: 2, delayMs: expect.any(Number), reason: expect.objectContaining({ status: 0 }) },
    ]);
  });

  it("sends the API version with every request", async () => {
    const { owner, asked } = await aService({ body: { data: [], id: "apr_a" } });
    await owner.integrations.list();
    await owner.approvals.create(question);
    expect(asked.map(({ version }) => version)).toEqual(["1", "1"]);
  });

  it("uses an answer with a key, and reports the reason of a refusal", async () => {
    const used = { path: "", message: "Used", reason: "used", usedAt: 4, usedBy: "app" };
    const { owner, asked } = await aService(
      { status: 503, body: {}, headers: { "retry-after": "0" } },
      { body: { usedAt: 4, receipt: "a.b.c" } },
      { status: 409, body: { error: "Conflict", details: [used] } },
    );
    expect(await owner.approvals.use("apr_a", "sha256:0")).toEqual({ usedAt: 4, receipt: "a.b.c" });
    await expect(owner.approvals.use("apr_a", "sha256:0", { key: "k" })).rejects.toMatchObject({
      name: "CountersignError",
      status: 409,
      details: [used],
    });
    expect(asked.map(({ method, path, body }) => [method, path, body])).toEqual(
      Array(3).fill(["POST", "/api/approvals/apr_a/use", { contentHash: "sha256:0" }]),
    );
    expect(asked[0]?.key).toMatch(/^[\da-f-]{36}$/);
    expect([asked[1]?.key, asked[2]?.key]).toEqual([asked[0]?.key, "k"]);
  });

  it("rejects a missing ID without sending a request", async () => {
    const { owner, asked } = await aService({ body: {} });
    const { get, wait, add, report, receipt, use, resolve } = owner.approvals;
    for (const id of ["", undefined as unknown as string])
      for (const call of [
        () => get(id),
        () => wait(id),
        () => add(id, "text"),
        () => report(id, { status: "done" }),
        () => receipt(id),
        () => use(id, "sha256:0"),
        () => resolve(id, { otherText: "no" }),
        () => owner.notifications.get(id),
      ])
        await expect(call()).rejects.toThrow(/^The (approval|notification) ID is missing$/);
    expect(asked).toEqual([]);
  });

  it("does not send the token to a redirect's target", async () => {
    const other = await aService({ body: {} });
    const { owner } = await aService({
      status: 307,
      headers: { location: `${other.baseUrl}/api/approvals/apr_a` },
      body: {},
    });
    await expect(owner.approvals.get("apr_a")).rejects.toMatchObject({ status: 307 });
    expect(other.asked).toEqual([]);
  });

  it("iterates over events across several pages and an outage", async () => {
    const event = (id: string) => ({ id, type: "approval.resolved", createdAt: 1, data: {} });
    const { owner, asked } = await aService(
      { body: { data: [event("evt_1"), event("evt_2")], nextCursor: "evt_2" } },
      { status: 503, body: {}, headers: { "retry-after": "0" } },
      { body: { data: [], nextCursor: "evt_2b" } },
      { body: { data: [event("evt_3")], nextCursor: "evt_3" } },
    );
    const seen: string[] = [];
    for await (const { id } of owner.events("evt_0")) if (seen.push(id) === 3) break;
    expect(seen).toEqual(["evt_1", "evt_2", "evt_3"]);
    expect(asked.map(({ path }) => path)).toEqual([
      "/api/events?after=evt_0&wait=60",
      "/api/events?after=evt_2&wait=60",
      "/api/events?after=evt_2&wait=60",
      "/api/events?after=evt_2b&wait=60",
    ]);
  });
});

describe("lists", () => {
  const page = (ids: string[], nextCursor?: string) => ({
    body: { data: ids.map((_id) => ({ _id })), ...(nextCursor && { nextCursor }) },
  });

  it("returns one page of an awaited list and all pages of an iterated list", async () => {
    const { owner, asked } = await aService(page(["a", "b"], "c2"));
    expect((await owner.approvals.list({ limit: 2 })).data.map(({ _id }) => _id)).toEqual(["a", "b"]);
    for await (const { _id } of owner.notifications.list()) if (_id === "b") break;
    expect(asked.map(({ path }) => path)).toEqual(["/api/approvals?limit=2", "/api/notifications"]);

    const all = await aService(page(["a"], "c2"), page([], "c3"), page(["b"]));
    const seen: string[] = [];
    for await (const { _id } of all.owner.approvals.list({ status: "pending" })) seen.push(_id);
    expect(seen).toEqual(["a", "b"]);
    expect(all.asked.map(({ path }) => path)).toEqual([
      "/api/approvals?status=pending",
      "/api/approvals?status=pending&cursor=c2",
      "/api/approvals?status=pending&cursor=c3",
    ]);
  });

  it("throws the server's error when a list is awaited or iterated", async () => {
    const { owner } = await aService({ status: 403, body: { error: "Forbidden" } });
    await expect(owner.approvals.list()).rejects.toMatchObject({ status: 403 });
    const iterate = async () => {
      for await (const _ of owner.notifications.list()) expect.unreachable();
    };
    await expect(iterate()).rejects.toMatchObject({ status: 403 });
  });
});

describe("asking without waiting", () => {
  it("sends a given or generated idempotency key", async () => {
    const { owner, asked } = await aService({ status: 201, body: { id: "apr_a" } });
    expect(await owner.approvals.create(question, { key: "418" })).toBe("apr_a");
    await owner.notifications.create({ title: "Asked" });
    expect(asked.map(({ path, key }) => [path, key])).toEqual([
      ["/api/approvals", "418"],
      ["/api/notifications", expect.stringMatching(/^[0-9a-f-]{36}$/)],
    ]);
  });
});

describe("refreshing tokens", () => {
  const unauthorized = { status: 401, body: { error: "Unauthorized" } };
  const renewed = (n: number) => ({ body: { access_token: `at_${n}`, refresh_token: `rt_${n}` } });

  it("refreshes tokens only once for concurrently rejected calls", async () => {
    const saved: unknown[] = [];
    let next = 2;
    const { asked, baseUrl } = await aService(({ path, token }) => {
      if (path === "/oauth/token") return renewed(next++);
      return token === "Bearer at_1" ? unauthorized : { body: { data: [] } };
    });
    const token = refreshingToken({
      ...{ baseUrl, clientId: "app_a", accessToken: "at_1", refreshToken: "rt_1" },
      save: async (tokens) => void saved.push(tokens),
    });
    const owner = new Countersign({ baseUrl, token });
    await Promise.all([
      owner.integrations.list(),
      owner.integrations.list(),
      owner.notifications.create({ title: "x" }),
    ]);
    const renewals = asked.filter(({ path }) => path === "/oauth/token");
    expect(renewals.map(({ form }) => form)).toEqual([
      { grant_type: "refresh_token", refresh_token: "rt_1", client_id: "app_a" },
    ]);
    expect(saved).toEqual([{ accessToken: "at_2", refreshToken: "rt_2" }]);
    expect(asked.filter(({ token: bearer }) => bearer === "Bearer at_2")).toHaveLength(3);
  });

  it("fails a call if the refreshed token is rejected", async () => {
    const never = await aService(({ path }) => (path === "/oauth/token" ? renewed(2) : unauthorized));
    const given = { baseUrl: never.baseUrl, clientId: "app_a", refreshToken: "rt_1", save: () => {} };
    const owner = new Countersign({ ...given, token: refreshingToken(given) });
    await expect(owner.integrations.list()).rejects.toMatchObject({ status: 401 });
    expect(never.asked).toHaveLength(4);
    const revoked = { status: 400, body: { error: "invalid_grant", error_description: "The owner took it back" } };
    const gone = await aService(() => revoked);
    const token = refreshingToken({ ...given, baseUrl: gone.baseUrl });
    await expect(token()).rejects.toMatchObject({ status: 400, message: "The owner took it back" });
    expect(gone.asked).toHaveLength(1);
  });

  it("retries a refresh after its response was lost", async () => {
    let lost = true;
    const { baseUrl, asked } = await aService(() => (lost ? { drop: !(lost = false) as true } : renewed(2)));
    const token = refreshingToken({
      baseUrl,
      clientId: "app_a",
      clientSecret: "s",
      refreshToken: "rt_1",
      save: () => {},
    });
    expect(await token()).toBe("at_2");
    expect(asked.map(({ form }) => form?.refresh_token)).toEqual(["rt_1", "rt_1"]);
  });
});
