import { createHmac } from "node:crypto";
import { unreachable } from "@/lib/client/errors";
import { type Calls, pause } from "@/lib/client/http-calls";
import type { Event, EventPage } from "@/lib/client/types";
import { clock } from "@/lib/clock";
import { signatures } from "@/lib/webhooks/signature";
import { webhookBody } from "@/lib/webhooks/webhook-body";
import { type Command, UsageError } from "../command";
import { refused, remoteCalls } from "./api-client";

/**
 * The receiver's timeout (the same as for real webhooks), and the pause before a retry while the
 * receiver is unreachable, in milliseconds.
 */
const limitMs = 15_000;
const retryMs = 2_000;
/**
 * How long one request waits for events, in seconds, and the maximum number of events per request.
 */
const waitSeconds = 60;
const pageSize = 100;

/**
 * Forwards an app's events to a receiver that only this computer can reach, in the form of the
 * service's webhooks. Reads the event feed, so it works behind any firewall.
 */
export const listenCommand: Command = {
  behind: "nothing",
  async run(given) {
    const to = given.one("forward-to") as string;
    const url = URL.canParse(to) ? new URL(to) : undefined;
    if (!url || !/^https?:$/.test(url.protocol))
      throw new UsageError("--forward-to must be a URL like http://localhost:4242/hooks.");
    const calls = remoteCalls(given, "scope approvals:read for the app whose events you want to forward");
    const types = given.all("type");
    const stopping = new AbortController();
    const stop = () => stopping.abort();
    process.once("SIGINT", stop).once("SIGTERM", stop);
    let forwarded = 0;
    try {
      const secret = secretOf(calls);
      const start = await endOf(calls, stopping.signal);
      say(`Signing secret  ${secret}`);
      say(`Forwarding events from ${new URL(calls.connection.baseUrl).origin} to ${url}. Press Ctrl-C to stop.`);
      for await (const { owner, event } of eventsAfter(calls, start, stopping.signal)) {
        if (types.length > 0 && !types.includes(event.type)) continue;
        const body = webhookBody({ event: event.id, type: event.type, at: event.createdAt, owner, data: event.data });
        say(`${event.id}  ${event.type}  ${await forward(url, event.id, body, secret, stopping.signal)}`);
        forwarded++;
      }
    } catch (error) {
      if (!stopping.signal.aborted) refused(error);
    } finally {
      process.off("SIGINT", stop).off("SIGTERM", stop);
    }
    return { json: { forwarded }, text: `Forwarded events: ${forwarded}.` };
  },
};

const say = (line: string) => process.stderr.write(`${line}\n`);

/**
 * Derives the webhook secret from the token. A token always results in the same secret, so the
 * receiver's settings remain valid.
 */
const secretOf = ({ connection }: Calls) =>
  `whsec_${createHmac("sha256", String(connection.token)).update("countersign listen").digest("base64")}`;

const read = async (calls: Calls, signal: AbortSignal, query: { after?: string | undefined; wait?: number }) => {
  const until = Number.POSITIVE_INFINITY;
  const more = query.wait === undefined ? {} : { waits: query.wait };
  const asked = { ...query, limit: pageSize };
  return (await calls.json<EventPage>({ method: "GET", path: "/api/events", query: asked, signal, until, ...more }))
    .value;
};

/** Returns the feed's current end, where forwarding starts. */
async function endOf(calls: Calls, signal: AbortSignal): Promise<string> {
  for (let after: string | undefined; ; ) {
    const { data, nextCursor } = await read(calls, signal, { after });
    after = nextCursor;
    if (data.length === 0) return after;
  }
}

async function* eventsAfter(
  calls: Calls,
  start: string,
  signal: AbortSignal,
): AsyncGenerator<{ owner: string; event: Event }> {
  for (let after = start; ; ) {
    const { owner, data, nextCursor } = await read(calls, signal, { after, wait: waitSeconds });
    for (const event of data) yield { owner, event };
    after = nextCursor;
  }
}

/**
 * Sends one event as a webhook. Retries an unreachable receiver until it responds, because the
 * developer may be restarting it.
 * @returns the outcome as text
 * @throws the signal's reason if the signal is aborted
 */
async function forward(url: URL, id: string, body: string, secret: string, signal: AbortSignal): Promise<string> {
  for (let noted = false; ; noted = true) {
    const timestamp = Math.floor(clock.now() / 1000);
    const headers = {
      "content-type": "application/json",
      "user-agent": "Countersign (countersign listen)",
      "webhook-id": id,
      "webhook-timestamp": String(timestamp),
      "webhook-signature": signatures([secret], { id, timestamp, body }),
    };
    const late = AbortSignal.timeout(limitMs);
    try {
      const sent = {
        method: "POST",
        redirect: "manual",
        headers,
        body,
        signal: AbortSignal.any([signal, late]),
      } as const;
      const { status } = await fetch(url, sent);
      return String(status);
    } catch (error) {
      signal.throwIfAborted();
      if (late.aborted) return `no response in ${limitMs / 1000} s`;
      if (!noted)
        say(
          `${unreachable(url, error).message.replace("the service", "your receiver")}. Trying again until your receiver responds.`,
        );
      await pause(retryMs, signal);
    }
  }
}
