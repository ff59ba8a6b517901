import { env } from "@/lib/config/env";
import { KeyError } from "@/lib/keys/data-keys";
import { fetchErrorMessage, statusMessage } from "@/lib/net/fetch-error";
import { guardedFetch } from "@/lib/net/guarded-fetch";
import type { KeptConnections } from "@/lib/net/http-agent-pool";
import { retryAfterOf } from "@/lib/net/retry-after";
import type { DueDelivery } from "./lease-deliveries";
import { signatures } from "./signature";
import { openSecret } from "./signing-secrets";

/** The result of an attempt. `retryAfter` is in seconds, if the receiver sent it. */
export type AttemptResult =
  | { how: "delivered"; status: number }
  | { how: "failed"; status?: number; problem: string; retryAfter?: number; gone?: true }
  /** Nothing was sent, because no signing secret can be decrypted. */
  | { how: "unsigned" };

/** The total timeout of an attempt in milliseconds, and the maximum size of a response in bytes. */
const milliseconds = 15_000;
const bytes = 64 * 1024;

/**
 * Makes one attempt: a POST to an external URL (see `guardedFetch`), signed according to Standard
 * Webhooks 1.0. Only a 2xx response is a success. Redirects are not followed.
 * @param stopping cancels the attempt when this instance stops
 * @param kept kept connections, if any
 * @throws {Stopped} if the attempt was canceled
 */
export async function send(
  delivery: DueDelivery,
  stopping: AbortSignal,
  kept?: KeptConnections,
): Promise<AttemptResult> {
  const { readable, keyless } = opened(delivery);
  if (readable.length === 0)
    return keyless
      ? { how: "failed", problem: "This server couldn’t decrypt the signing secret" }
      : { how: "unsigned" };
  const timestamp = Math.floor(delivery.now / 1000);
  try {
    const { status, headers } = await guardedFetch(new URL(delivery.url), {
      method: "POST",
      headers: {
        "content-type": "application/json",
        "user-agent": `Countersign (+${env().publicUrl}/docs/webhooks)`,
        "webhook-id": delivery.event,
        "webhook-timestamp": String(timestamp),
        "webhook-signature": signatures(readable, { id: delivery.event, timestamp, body: delivery.body }),
      },
      body: delivery.body,
      milliseconds,
      bytes,
      statusOnly: true,
      signal: stopping,
      ...(kept && { over: { kept, user: delivery.endpointId } }),
    });
    return resultOf(status, headers["retry-after"]);
  } catch (error) {
    if (stopping.aborted) throw new Stopped();
    return { how: "failed", problem: fetchErrorMessage(error) };
  }
}

/**
 * Decrypts the secrets. `readable` are those that this instance can decrypt. `keyless` means that
 * another instance may have the key for one that this instance can't decrypt.
 */
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

/** This instance stopped before the receiver responded. */
export class Stopped extends Error {}

function resultOf(status: number, retryAfterHeader: string | undefined): AttemptResult {
  if (status >= 200 && status < 300) return { how: "delivered", status };
  const retryAfter = status === 429 || status === 503 ? retryAfterOf(retryAfterHeader) : undefined;
  return {
    how: "failed",
    status,
    problem: statusMessage(status),
    ...(retryAfter !== undefined && { retryAfter }),
    ...(status === 410 && { gone: true }),
  };
}
