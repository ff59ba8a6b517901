import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Approval } from "@/lib/approvals/schema";
import type { Moment, Outcome, Read, Seen, Terms } from "./history";
import type { Random } from "./random";
import type { Recorder } from "./recorder";
import type { Party, RunningInstance } from "./setup";

/** What all clients of a run share. */
export type Run = {
  recorder: Recorder;
  instances: RunningInstance[];
  /** Whether the clients should end, now or after some milliseconds. */
  isOver(aheadMs?: number): boolean;
  /** Whether the run should still be awaited for a client that retries. */
  isAborted(): boolean;
};

/** A response, or a failed connection with the status 0. */
type Reply = {
  outcome: Outcome;
  status: number;
  reason?: string;
  lacksRetryAfter?: boolean;
  body: Record<string, unknown>;
};
type Timed = Reply & { began: Moment; ended: Moment };

/** How long a caller waits for a response, in milliseconds. */
const patienceMs = 40_000;

/** Sends a request to an instance. A response from 500 on leaves the outcome unknown. */
export async function send(instance: RunningInstance, path: string, init: RequestInit): Promise<Reply> {
  try {
    const response = await fetch(`${instance.url}${path}`, {
      ...{ redirect: "manual", signal: AbortSignal.timeout(patienceMs) },
      ...init,
    });
    const text = await response.text();
    instance.served[instance.isFormer ? "former" : "current"]++;
    const { status } = response;
    const outcome = status < 300 ? "ok" : status < 500 ? "refused" : "unknown";
    const isJson = response.headers.get("content-type")?.includes("json");
    const body = (isJson ? JSON.parse(text) : { text }) as Record<string, unknown>;
    const detail = (body.details as { reason?: string }[] | undefined)?.[0]?.reason;
    const reason = outcome === "ok" ? undefined : (detail ?? String(body.error ?? body.message ?? text.slice(0, 200)));
    const lacksRetryAfter = status === 503 && !response.headers.has("retry-after");
    return {
      outcome,
      status,
      body,
      ...(reason !== undefined && { reason }),
      ...(lacksRetryAfter && { lacksRetryAfter }),
    };
  } catch (error) {
    return { outcome: "unknown", status: 0, reason: String((error as Error).cause ?? error), body: {} };
  }
}

/** The requests of one owner's app and of the owner, each of which adds an entry to the history. */
export function callsOf({ recorder, instances, isAborted }: Run, party: Party, choices: Random) {
  const owner = party.name;
  const app = { authorization: `Bearer ${party.token}`, "content-type": "application/json" };

  async function timed(work: () => Promise<Reply>): Promise<Timed> {
    const began = recorder.now();
    const reply = await work();
    return { ...reply, began, ended: recorder.now() };
  }
  const get = (path: string) => timed(() => send(choices.pick(instances), path, { headers: app }));

  /** Sends a write with an idempotency key, and repeats it until the outcome is known. */
  const write = (path: string, body: object, tries = 200, key = randomBytes(12).toString("hex")) =>
    timed(async () => {
      const init = { method: "POST", headers: { ...app, "idempotency-key": key }, body: JSON.stringify(body) };
      for (let nth = 1; ; nth++) {
        const reply = await send(choices.pick(instances), path, init);
        // An earlier try may have succeeded, although a freeze, for example, rejects this one.
        if (reply.outcome === "refused" && nth > 1) return { ...reply, outcome: "unknown" };
        if (reply.outcome !== "unknown" || nth >= tries || isAborted()) return reply;
        // A problem of its own, which a repetition would hide.
        if (reply.lacksRetryAfter || (reply.status >= 500 && reply.status !== 503)) return reply;
        await sleep(200);
      }
    });
  /** Submits an owner's form, like a page's script. */
  const act = (name: string, fields: Record<string, string>) =>
    timed(() => {
      const instance = choices.pick(instances);
      const headers = {
        ...{ cookie: `${party.cookie.name}=${party.cookie.value}`, origin: instance.url, accept: "application/json" },
        "content-type": "application/x-www-form-urlencoded",
      };
      return send(instance, `/acts/${name}`, { method: "POST", headers, body: new URLSearchParams(fields).toString() });
    });
  const entry = ({ body: _, ...reply }: Timed) => ({ ...reply, owner });

  function addRead(id: string, via: Read["via"], reply: Timed): Seen | undefined {
    const seen = reply.outcome === "ok" ? seenOf(reply.body as Approval) : undefined;
    recorder.add({ ...entry(reply), op: "read", id, via, seen });
    return seen;
  }

  return {
    async ask(question: string, terms: Terms): Promise<string | undefined> {
      const { deadline: expiresAt, defaultOption: defaultOptionId, once } = terms;
      const options = ["yes", "no"].map((id) => ({ id, label: id }));
      const body = { question: `${question} Go?`, options, expiresAt, defaultOptionId, once };
      const reply = await write("/api/approvals", body);
      const id = reply.outcome === "ok" ? String(reply.body.id) : undefined;
      recorder.add({ ...entry(reply), op: "ask", question, id, terms });
      return id;
    },
    async read(id: string) {
      return addRead(id, "get", await get(`/api/approvals/${id}`));
    },
    /** Waits for an answer for at most some seconds. */
    async wait(id: string, seconds: number) {
      return addRead(id, "wait", await get(`/api/approvals/${id}?wait=${seconds}`));
    },
    /** Reads the latest approvals in a list. */
    async list(via: Read["via"] = "list", path = "/api/approvals?limit=20"): Promise<Timed> {
      const reply = await get(path);
      const data = reply.outcome === "ok" ? (reply.body.data as (Approval & { _id: string })[]) : [];
      for (const one of data) addRead(one._id, via, { ...reply, body: one });
      return reply;
    },
    /** Answers as the app. One try leaves the outcome unknown if the response is lost. */
    async resolve(id: string, note: string, tries?: number, optionId = "yes") {
      const reply = await write(`/api/approvals/${id}/resolve`, { kind: "option", optionId, note }, tries);
      recorder.add({ ...entry(reply), op: "resolve", id, note });
      return reply.outcome;
    },
    async addText(id: string, text: string) {
      const reply = await write(`/api/approvals/${id}/additions`, { text });
      recorder.add({ ...entry(reply), op: "add", id, text });
    },
    async push(title: string) {
      const reply = await write("/api/notifications", { title: `${title} happened`, type: "history" });
      const id = reply.outcome === "ok" ? String(reply.body.id) : undefined;
      recorder.add({ ...entry(reply), op: "push", title, id });
    },
    async use(id: string, key: string) {
      const read = await get(`/api/approvals/${id}`);
      if (!addRead(id, "get", read)) return;
      const reply = await write(`/api/approvals/${id}/use`, { contentHash: read.body.contentHash }, undefined, key);
      const receipt = reply.outcome === "ok" ? String(reply.body.receipt) : undefined;
      recorder.add({ ...entry(reply), op: "use", id, key, receipt });
    },
    /** Opens a question's page. @returns the hash in its form, and the page's text */
    async open(id: string): Promise<{ hash: string; text: string } | undefined> {
      const headers = { cookie: `${party.cookie.name}=${party.cookie.value}` };
      const { body, outcome } = await send(choices.pick(instances), `/approvals/${id}`, { headers });
      const text = String(body.text ?? "");
      const hash = /name="seen" value="([^"]+)"/.exec(text)?.[1];
      return outcome === "ok" && hash ? { hash, text } : undefined;
    },
    /** Answers as the owner, on a page that showed the additions `seen`. */
    async answer(id: string, note: string, page: { hash: string }, seen: string[], optionId = "yes"): Promise<Outcome> {
      const fields = { id, seen: page.hash, optionId, note };
      const reply = await act("approval.answer", fields);
      const value = reply.body.value as { won?: boolean; held?: { answer: { note?: string } } } | undefined;
      const held = value?.held;
      // The service kept an earlier answer instead.
      const isOther = reply.outcome === "ok" && (value?.won === false || (held && held.answer.note !== note));
      const outcome = isOther ? "refused" : reply.outcome;
      recorder.add({ ...entry(reply), outcome, op: "answer", id, note, seen, held: held !== undefined });
      return outcome;
    },
    async undo(id: string) {
      const reply = await act("approval.undo", { ids: id });
      const { undone } = (reply.body.value ?? {}) as { undone?: string[] };
      recorder.add({ ...entry(reply), op: "undo", id, undone: undone?.includes(id) ?? false });
    },
    async sendNow(id: string) {
      recorder.add({ ...entry(await act("approval.send-now", { ids: id })), op: "send", id });
    },
    async withdraw(id: string) {
      recorder.add({ ...entry(await act("approval.withdraw", { id })), op: "withdraw", id });
    },
    /** Freezes or unfreezes all apps. @returns whether the service acknowledged it */
    async setFrozen(isFrozen: boolean): Promise<boolean> {
      const op = isFrozen ? "freeze" : "unfreeze";
      const reply = await act(isFrozen ? "freeze.begin" : "freeze.end", { clientId: "" });
      recorder.add({ ...entry(reply), op });
      return reply.outcome === "ok";
    },
  };
}
export type Calls = ReturnType<typeof callsOf>;

function seenOf(approval: Approval): Seen {
  const { status, resolution, additions = [], usedAt, withdrawnAt, deadlinePassed } = approval;
  return {
    ...{ status, usedAt, withdrawnAt, deadlinePassed },
    note: resolution && (resolution.note ?? "without a note"),
    resolvedBy: resolution?.resolvedBy,
    optionId: resolution?.optionId,
    resolvedAt: resolution?.resolvedAt,
    additions: additions.map(({ text }) => text),
  };
}
