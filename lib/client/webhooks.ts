import { fromBase64 } from "./base64";
import { VerificationError } from "./errors";
import type { Event } from "./types";

export type WebhookHeaders = Headers | Record<string, string | string[] | undefined>;
export type WebhookChecks = {
  /**
   * Maximum difference between the webhook's time and the receiver's, in seconds, which limits
   * replays. Five minutes by default.
   */
  toleranceSeconds?: number;
  /** The receiver's time, in epoch milliseconds. */
  now?: number;
};

/**
 * Verifies a webhook (Standard Webhooks 1.0) and returns its event.
 * @param body exactly as received, not parsed and serialized again
 * @param secret `whsec_…`; several during a rotation
 * @throws {VerificationError} with the reason; respond with 400 then
 */
export async function verifyWebhook(
  body: string | Uint8Array,
  headers: WebhookHeaders,
  secret: string | readonly string[],
  { toleranceSeconds = 300, now = Date.now() }: WebhookChecks = {},
): Promise<Event> {
  const [id, timestamp, signatures] = ["id", "timestamp", "signature"].map((name) =>
    header(headers, `webhook-${name}`),
  );
  if (!id || !timestamp || !signatures)
    throw new VerificationError("One of the headers webhook-id, webhook-timestamp and webhook-signature is missing");
  if (!/^\d{1,12}$/.test(timestamp)) throw new VerificationError("The header webhook-timestamp is not a Unix time");
  if (Math.abs(now / 1000 - Number(timestamp)) > toleranceSeconds)
    throw new VerificationError("The time in the header webhook-timestamp is too far in the past or future");
  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
  const signed = concat(new TextEncoder().encode(`${id}.${timestamp}.`), bytes);
  const given = signatures.split(" ").flatMap((each) => (each.startsWith("v1,") ? [fromBase64(each.slice(3))] : []));
  let proven = false;
  for (const each of [secret].flat()) {
    const raw = fromBase64(each.replace(/^whsec_/, ""));
    if (!raw || raw.length === 0) throw new VerificationError("The secret must be whsec_ followed by Base64 text");
    const hmac = { name: "HMAC", hash: "SHA-256" };
    const key = await crypto.subtle.importKey("raw", raw, hmac, false, ["verify"]);
    // The runtime compares the signatures in constant time.
    for (const signature of given)
      if (signature && (await crypto.subtle.verify("HMAC", key, signature, signed))) proven = true;
  }
  if (!proven) throw new VerificationError("No signature in webhook-signature is valid for this webhook");
  return JSON.parse(new TextDecoder().decode(bytes)) as Event;
}

function header(headers: WebhookHeaders, name: string): string | undefined {
  // Some frameworks have their own class for headers.
  if (typeof headers.get === "function") return (headers as Headers).get(name) ?? undefined;
  const value = Object.entries(headers).find(([each]) => each.toLowerCase() === name)?.[1];
  return typeof value === "string" ? value : undefined;
}

function concat(a: Uint8Array, b: Uint8Array): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(a.length + b.length);
  all.set(a);
  all.set(b, a.length);
  return all;
}
