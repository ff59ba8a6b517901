import { randomBytes } from "node:crypto";
import { withClient } from "@/lib/postgres/with-client";
import { pause } from "./background-process";
import type { Caller, Outcome, Stream } from "./http-caller";

const options = [{ id: "yes", label: "Yes" }];

/** The results of a run. */
export type Ledger = {
  acknowledged: { asks: number; answers: number; pushes: number };
  lost: string[];
  twice: string[];
  /** The number of events, and how many of them the reader missed or received twice. */
  events: { told: number; missing: number; twice: number };
  /** The same numbers for answers, for each stream. */
  streamed: { missing: number; twice: number };
  waits: { asked: number; answered: number };
  /** The longest time between two successful writes, in seconds. */
  gap: number;
  /**
   * The numbers of 5xx responses and broken connections by type, and the number of 5xx responses
   * without Retry-After.
   */
  failures: Record<string, number>;
  withoutRetryAfter: number;
};

/**
 * Writes continuously, and retries each write with its idempotency key until it succeeds.
 * Meanwhile, a reader reads all events, streams reconnect at their last position, and requests wait
 * for answers.
 */
export function keepLedger(caller: Caller, token: string, writers = 8, streams = 6, waiting = 10) {
  const asks = new Map<string, string>();
  const answers = new Map<string, string>();
  const pushes = new Map<string, string>();
  const failures: Record<string, number> = {};
  let withoutRetryAfter = 0;
  let [lastGood, gap] = [performance.now(), 0];
  let over = false;

  const noteFailure = ({ status, broken, headers }: Outcome) => {
    const what = broken ?? String(status);
    failures[what] = (failures[what] ?? 0) + 1;
    if (status >= 500 && headers["retry-after"] === undefined) withoutRetryAfter++;
  };
  /** Sends a write, and retries it with its idempotency key until it succeeds. */
  const surely = async (path: string, body: unknown): Promise<{ id: string }> => {
    const key = randomBytes(12).toString("hex");
    for (;;) {
      const reply = await caller.call("POST", path, { token, body, key });
      if (reply.status >= 200 && reply.status < 300) {
        gap = Math.max(gap, performance.now() - lastGood);
        lastGood = performance.now();
        return JSON.parse(reply.text);
      }
      if (reply.status > 0 && reply.status < 500) throw new Error(`${path}: ${reply.status} ${reply.text}`);
      noteFailure(reply);
      await pause(50);
    }
  };
  const write = async (writer: number) => {
    for (let nth = 0; !over; nth++) {
      const name = `${writer}/${nth}/${randomBytes(6).toString("hex")}`;
      const { id } = await surely("/api/approvals", { question: name, options });
      asks.set(id, name);
      if (nth % 3 === 0) {
        await surely(`/api/approvals/${id}/resolve`, { kind: "option", optionId: "yes", note: name });
        answers.set(id, name);
      }
      if (nth % 5 === 0)
        pushes.set((await surely("/api/notifications", { title: name, body: name, type: "test" })).id, name);
      await pause(20);
    }
  };

  const read: string[] = [];
  let cursor: string | undefined;
  const readOn = async () => {
    const path = `/api/events?limit=100${cursor ? `&after=${cursor}` : ""}`;
    const reply = await caller.call("GET", path, { token });
    if (reply.status !== 200) {
      noteFailure(reply);
      await pause(200);
      return true;
    }
    const { data, nextCursor } = JSON.parse(reply.text) as {
      data: { type: string; data: { id: string } }[];
      nextCursor: string;
    };
    for (const { type, data: about } of data) read.push(`${type} ${about.id}`);
    cursor = nextCursor;
    return data.length > 0;
  };

  const heard = Array.from({ length: streams }, () => ({ said: "", last: undefined as string | undefined }));
  const openStreams: Stream[] = [];
  const follow = async (it: (typeof heard)[number], nth: number, closing: () => boolean) => {
    while (!closing()) {
      const stream = await caller.stream(token, "/api/events", it.last ? { "last-event-id": it.last } : {});
      openStreams[nth] = stream;
      while (!stream.ended && !closing()) await pause(50);
      const whole = stream.output.slice(0, stream.output.lastIndexOf("\n\n") + 2);
      if (stream.status === 200) {
        it.said += whole;
        it.last = [...whole.matchAll(/^id: (\S+)$/gm)].at(-1)?.[1] ?? it.last;
      }
      stream.close();
      await pause(100);
    }
  };

  const waited = new Map<string, boolean>();
  const waitFor = async (id: string) => {
    waited.set(id, false);
    while (!waited.get(id)) {
      const reply = await caller.call("GET", `/api/approvals/${id}?wait=60`, { token });
      if (reply.status === 200) waited.set(id, JSON.parse(reply.text).status === "resolved");
      else {
        noteFailure(reply);
        await pause(200);
      }
    }
  };

  return {
    async begin() {
      let listening = true;
      const following = heard.map((it, nth) => follow(it, nth, () => !listening));
      while (openStreams.filter((it) => it?.output).length < streams) await pause(50);
      const awaited: string[] = [];
      for (let nth = 0; nth < waiting; nth++) {
        const name = `awaited ${nth} ${randomBytes(6).toString("hex")}`;
        const { id } = await surely("/api/approvals", { question: name, options });
        asks.set(id, name);
        awaited.push(id);
      }
      const waits = awaited.map(waitFor);
      const writing = Promise.all(Array.from({ length: writers }, (_, nth) => write(nth)));
      // A rejection is thrown at the end.
      writing.catch(() => {});
      let reading = true;
      const reader = (async () => {
        while (reading) if (!(await readOn())) await pause(100);
      })();
      lastGood = performance.now();
      return {
        /** The number of acknowledged writes so far. */
        count: () => asks.size + answers.size + pushes.size,
        /**
         * Ends the writes, and compares them with the database.
         * @param address the database's current URL
         */
        async end(address: string): Promise<Ledger> {
          over = true;
          await writing;
          for (const id of awaited) {
            await surely(`/api/approvals/${id}/resolve`, { kind: "option", optionId: "yes", note: asks.get(id) });
            answers.set(id, asks.get(id) as string);
          }
          await Promise.all(waits);
          reading = false;
          await reader;
          while (await readOn());
          const complete = () =>
            openStreams.every((stream, nth) =>
              awaited.every((id) => `${heard[nth]?.said}${stream.output}`.includes(`"id":"${id}","resolution"`)),
            );
          for (const giveUp = Date.now() + 30_000; !complete() && Date.now() < giveUp; ) await pause(100);
          listening = false;
          await Promise.all(following);
          const stored = await contents(address);
          const every = [...asks, ...answers, ...pushes];
          const told = [
            ...[...asks.keys()].map((id) => `approval.submitted ${id}`),
            ...[...answers.keys()].map((id) => `approval.resolved ${id}`),
            ...[...pushes.keys()].map((id) => `notification.pushed ${id}`),
          ];
          const times = countOf(read);
          const streamed = heard.map(({ said }) =>
            countOf([...said.matchAll(/"type":"approval.resolved".*?"id":"(apr_\w+)"/g)].map(([, id = ""]) => id)),
          );
          return {
            acknowledged: { asks: asks.size, answers: answers.size, pushes: pushes.size },
            lost: [
              ...[...asks].filter(([id, name]) => !stored.asks.some((row) => row.id === id && row.name === name)),
              ...[...answers].filter(([id, name]) => !stored.answers.some((row) => row.id === id && row.name === name)),
              ...[...pushes].filter(([id, name]) => !stored.pushes.some((row) => row.id === id && row.name === name)),
            ].map(String),
            twice: [...new Set(every.map(([, name]) => name))].filter(
              (name) =>
                stored.asks.filter((row) => row.name === name).length > 1 ||
                stored.pushes.filter((row) => row.name === name).length > 1,
            ),
            events: {
              told: told.length,
              missing: told.filter((what) => !times.has(what)).length,
              twice: [...times.values()].filter((n) => n > 1).length,
            },
            streamed: {
              missing: streamed.reduce((sum, one) => sum + [...answers.keys()].filter((id) => !one.has(id)).length, 0),
              twice: streamed.reduce((sum, one) => sum + [...one.values()].filter((n) => n > 1).length, 0),
            },
            waits: { asked: waiting, answered: [...waited.values()].filter(Boolean).length },
            gap: gap / 1000,
            failures,
            withoutRetryAfter,
          };
        },
      };
    },
  };
}

const countOf = (all: readonly string[]) => {
  const times = new Map<string, number>();
  for (const each of all) times.set(each, (times.get(each) ?? 0) + 1);
  return times;
};

type NamedRow = { id: string; name: string };

/** Reads the final content of the database. */
const contents = (address: string) =>
  withClient(address, async (client) => ({
    asks: (await client.query<NamedRow>("SELECT id, question AS name FROM approval")).rows,
    answers: (
      await client.query<NamedRow>(
        "SELECT id, resolution ->> 'note' AS name FROM approval WHERE resolution IS NOT NULL",
      )
    ).rows,
    pushes: (await client.query<NamedRow>("SELECT id, title AS name FROM notification")).rows,
  }));
