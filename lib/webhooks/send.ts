import { env } from "@/lib/config/env";
import { KeyError } from "@/lib/keys/data-keys";
import type { KeptConnections } from "@/lib/net/agent-pool";
import { fetchErrorMessage, statusMessage } from "@/lib/net/fetch-error";
import { guardedFetch } from "@/lib/net/guarded-fetch";
import { retryAfterOf } from "@/lib/net/retry-after";
import type { DueDelivery } from "./lease";
import { openSecret } from "./secrets";
import { signatures } from "./signature";

/** How an attempt went. `retryAfter` in seconds, where the receiver asked for it. */
export type AttemptResult =
  | { how: "delivered"; status: number }
  | { how: "failed"; status?: number; problem: string; retryAfter?: number; gone?: true }
  /** Nothing was sent: what it would be signed with does not open. */
  | { how: "unsigned" };

/** Longest that an attempt may take with everything, and most that is read of the reply. */
const milliseconds = 15_000;
const bytes = 64 * 1024;

/**
 * One attempt: a POST to an address that somebody else chose (see `guardedFetch`), signed as Standard Webhooks 1.0 says. Only
 * 2xx is success, redirects are never followed, and of the reply nothing is kept but its status.
 * @param stopping when this copy has to end: the attempt is broken off
 * @param kept each endpoint's connections, if they are kept
 * @throws {Stopped} when it was
 */
export async function send(it: DueDelivery, stopping: AbortSignal, kept?: KeptConnections): Promise<AttemptResult> {
  const { readable, keyless } = opened(it);
  if (readable.length === 0)
    return keyless ? { how: "failed", problem: "Its secret could not be read here" } : { how: "unsigned" };
  const timestamp = Math.floor(it.now / 1000);
  try {
    const { status, headers } = await guardedFetch(new URL(it.url), {
      method: "POST",
      headers: {
        "content-type": "application/json",
        "user-agent": `Countersign (+${env().publicUrl}/docs/webhooks)`,
        "webhook-id": it.event,
        "webhook-timestamp": String(timestamp),
        "webhook-signature": signatures(readable, { id: it.event, timestamp, body: it.body }),
      },
      body: it.body,
      milliseconds,
      bytes,
      statusOnly: true,
      signal: stopping,
      ...(kept && { over: { kept, by: it.endpointId } }),
    });
    return resultOf(status, headers["retry-after"]);
  } catch (error) {
    if (stopping.aborted) throw new Stopped();
    return { how: "failed", problem: fetchErrorMessage(error) };
  }
}

/** The secrets that open; `keyless`: one may open on a copy that was given another key. */
function opened({ endpointId, secrets }: DueDelivery): { readable: string[]; keyless: boolean } {
  const readable: string[] = [];
  let keyless = false;
  for (const each of secrets ?? []) {
    try {
      const secret = openSecret(endpointId, each);
      if (secret !== undefined) readable.push(secret);
    } catch (error) {
      if (!(error instanceof KeyError)) throw error;
      keyless = true;
    }
  }
  return { readable, keyless };
}

/** This copy had to end before the receiver answered. */
export class Stopped extends Error {}

function resultOf(status: number, said: string | undefined): AttemptResult {
  if (status >= 200 && status < 300) return { how: "delivered", status };
  const retryAfter = status === 429 || status === 503 ? retryAfterOf(said) : undefined;
  return {
    how: "failed",
    status,
    problem: statusMessage(status),
    ...(retryAfter !== undefined && { retryAfter }),
    ...(status === 410 && { gone: true }),
  };
}
