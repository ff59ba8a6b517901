import { fetchErrorMessage, statusMessage } from "@/lib/net/fetch-error";
import { type GuardedRequest, guardedFetch } from "@/lib/net/guarded-fetch";
import { retryAfterOf } from "@/lib/net/retry-after";
import type { ChannelResult } from "./channel-interface";

type Telling = Pick<GuardedRequest, "method" | "headers" | "ours"> & {
  /** The body, as JSON or as text. */
  body?: object | string;
  /** The service's error statuses, explained for the owner. */
  means?: Readonly<Record<number, string>>;
};

/**
 * A request's result. `reply` is the response's JSON object, or an empty object if there is none.
 */
export type SendResult = { result: ChannelResult; reply: Record<string, unknown>; status?: number };

/** The timeout of a request in milliseconds. */
export const channelTimeout = { milliseconds: 10_000 };

const never = ["The address is not public", "The address is not an https address"];

/**
 * Sends a request to a channel's server. The owner chose the server's address, so `guardedFetch`
 * checks it. Failures are returned as results, and this function never throws.
 */
export async function sendChannelRequest(
  url: URL,
  { method = "POST", headers, body, ours, means }: Telling,
): Promise<SendResult> {
  try {
    const reply = await guardedFetch(url, {
      method,
      headers: { ...(body !== undefined && { "content-type": "application/json" }), ...headers },
      ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
      ...channelTimeout,
      bytes: 64 * 1024,
      statusOnly: true,
      ours,
    });
    const { status } = reply;
    return { status, reply: parsed(reply.body), result: resultOf(status, reply.headers["retry-after"], means) };
  } catch (error) {
    const problem = fetchErrorMessage(error);
    return { reply: {}, result: { how: never.includes(problem) ? "refused" : "later", problem } };
  }
}

function resultOf(status: number, retryAfter: string | undefined, means: Telling["means"] = {}): ChannelResult {
  if (status >= 200 && status < 300) return { how: "sent" };
  const problem = means[status] ?? statusMessage(status);
  if (status !== 429 && status < 500) return { how: "refused", problem };
  const wait = retryAfterOf(retryAfter);
  return { how: "later", problem, ...(wait !== undefined && { wait }) };
}

function parsed(body: Buffer): Record<string, unknown> {
  try {
    const parsedBody: unknown = JSON.parse(body.toString("utf8"));
    return typeof parsedBody === "object" && parsedBody !== null ? { ...parsedBody } : {};
  } catch {
    return {};
  }
}
