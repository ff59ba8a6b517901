import { randomBytes } from "node:crypto";
import http from "node:http";

/** Counts of all requests by type and status. Status 0 means no response. */
export type Tally = Map<string, number>;

type RequestKind = { share: number; name: string; run: () => Promise<void> };

const question = {
  question: "Ship build 418 to production?",
  backgroundContext: "All 214 checks hold. ".repeat(20),
  options: [
    { id: "ship", label: "Ship now" },
    { id: "wait", label: "Wait", note: "Until Monday" },
  ],
};
const maxPending = 500;

/**
 * An ordinary hour's requests from several apps: questions, answers, reads, notifications, waits,
 * streams, pages, and sometimes an invalid request.
 */
export function mix(port: number, tokens: readonly string[]) {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 64 });
  const tally: Tally = new Map();
  const pending: { id: string; token: string }[] = [];
  const streams: http.ClientRequest[] = [];
  let waits = 0;
  let over = false;
  const any = <T>(of: readonly T[]) => of[Math.floor(Math.random() * of.length)] as T;

  const call = (name: string, method: string, path: string, { token = "", body = "", headers = {} } = {}) =>
    new Promise<{ status: number; text: string }>((resolve) => {
      const done = (status: number, text: string) => {
        const what = `${name} ${status}`;
        tally.set(what, (tally.get(what) ?? 0) + 1);
        resolve({ status, text });
      };
      const all = {
        ...(token && { authorization: `Bearer ${token}` }),
        ...(body && { "content-type": "application/json", "content-length": Buffer.byteLength(body) }),
        ...headers,
      };
      const sent = http.request({ agent, port, method, path, headers: all }, (reply) => {
        let text = "";
        reply.setEncoding("utf8").on("data", (piece) => (text += piece));
        reply.on("error", () => done(0, text)).on("end", () => done(reply.statusCode ?? 0, text));
      });
      sent.on("error", () => !over && done(0, ""));
      sent.end(body);
    });

  const submit = async () => {
    const token = any(tokens);
    const headers = { "idempotency-key": randomBytes(12).toString("hex") };
    const { status, text } = await call("submit", "POST", "/api/approvals", {
      token,
      headers,
      body: JSON.stringify(question),
    });
    if (status === 201) pending.push({ id: JSON.parse(text).id, token });
  };
  const resolve = async () => {
    const one = pending.shift();
    if (!one) return submit();
    const body = JSON.stringify({ kind: "option", optionId: "ship", note: "Looks good" });
    await call("resolve", "POST", `/api/approvals/${one.id}/resolve`, { token: one.token, body });
  };
  const read = async () => {
    const one = pending.at(-1);
    if (one) await call("get", "GET", `/api/approvals/${one.id}`, { token: one.token });
  };
  const push = async () => {
    const body = JSON.stringify({ title: "Build 418 is live", body: "It took 4 minutes.", type: "deploys" });
    await call("push", "POST", "/api/notifications", { token: any(tokens), body });
  };
  const wait = async () => {
    const one = any(pending);
    if (!one || waits >= 40) return read();
    waits++;
    await call("wait", "GET", `/api/approvals/${one.id}?wait=20`, { token: one.token });
    waits--;
  };
  /** Twenty streams are open. A new stream replaces the oldest. */
  const stream = async () => {
    if (streams.length >= 20) streams.shift()?.destroy();
    const headers = { authorization: `Bearer ${any(tokens)}`, accept: "text/event-stream" };
    const sent = http.request({ port, path: "/api/events", headers, agent: false }, (reply) => {
      const what = `stream ${reply.statusCode}`;
      tally.set(what, (tally.get(what) ?? 0) + 1);
      reply.on("error", () => {}).resume();
    });
    streams.push(sent.on("error", () => {}));
    sent.end();
  };
  const wrong: (() => Promise<unknown>)[] = [
    () => call("bad body", "POST", "/api/approvals", { token: any(tokens), body: '{"question":' }),
    () => call("bad body", "POST", "/api/approvals", { token: any(tokens), body: '{"question":7,"options":"none"}' }),
    () => call("bad token", "GET", "/api/approvals", { token: `csn_pat_${randomBytes(24).toString("hex")}` }),
    () => call("unknown", "GET", `/api/approvals/apr_${randomBytes(8).toString("hex")}`, { token: any(tokens) }),
    () => call("unknown", "GET", `/nowhere/${randomBytes(8).toString("hex")}`),
    () => call("bad cursor", "GET", `/api/events?after=${randomBytes(8).toString("hex")}`, { token: any(tokens) }),
    () => call("too large", "POST", "/api/approvals", { token: any(tokens), body: `"${"x".repeat(1_100_000)}"` }),
    () => call("bad method", "PUT", "/api/approvals", { token: any(tokens), body: "{}" }),
  ];
  const kinds: RequestKind[] = [
    { share: 24, name: "submit", run: submit },
    { share: 24, name: "resolve", run: resolve },
    { share: 12, name: "get", run: read },
    {
      share: 8,
      name: "list",
      run: async () => void (await call("list", "GET", "/api/approvals?limit=20", { token: any(tokens) })),
    },
    { share: 12, name: "push", run: push },
    {
      share: 6,
      name: "events",
      run: async () => void (await call("events", "GET", "/api/events?limit=20", { token: any(tokens) })),
    },
    { share: 4, name: "wait", run: wait },
    { share: 1, name: "stream", run: stream },
    { share: 8, name: "wrong", run: async () => void (await any(wrong)()) },
    { share: 1, name: "page", run: async () => void (await call("page", "GET", any(["/sign-in", "/docs"]))) },
  ];
  const all = kinds.reduce((sum, { share }) => sum + share, 0);

  /** One request of a random type. */
  const next = (): void => {
    if (pending.length > maxPending) return void resolve();
    let at = Math.random() * all;
    void kinds.find(({ share }) => (at -= share) < 0)?.run();
  };
  const close = () => {
    over = true;
    for (const sent of streams) sent.destroy();
    agent.destroy();
  };
  return { next, tally, close };
}
