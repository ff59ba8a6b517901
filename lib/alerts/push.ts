import { createECDH } from "node:crypto";
import webPush from "web-push";
import { env } from "@/lib/config/env";
import { key, sha256 } from "@/lib/keys/crypto";
import { guardedFetch } from "@/lib/net/guarded-fetch";
import { retryAfterOf } from "@/lib/net/retry-after";
import type { CloseMessage, NewSubscription, ShowMessage } from "./push-schema";

/**
 * The push service's result. `gone`: the subscription no longer exists. `wait`: seconds the service
 * asked us to wait.
 */
export type PushResult = { how: "sent" | "gone" | "refused" | "later"; status: number; wait?: number };

/** How long a push service keeps a message for an offline browser, in seconds. */
const keptSeconds = 24 * 60 * 60;

/**
 * Encrypts a message for a browser (RFC 8291) and sends it to the browser's push service (RFC
 * 8030). The browser chose that service's address, so `guardedFetch` checks it. An offline browser
 * later gets only the last message for each tag.
 */
export async function sendPush(to: NewSubscription, message: ShowMessage | CloseMessage): Promise<PushResult> {
  const tag = "close" in message ? message.close : message.notification.tag;
  const { endpoint, p256dh, auth } = to;
  const { headers, body } = webPush.generateRequestDetails(
    { endpoint, keys: { p256dh, auth } },
    JSON.stringify(message),
    {
      vapidDetails: { subject: contact(), ...vapidKeys() },
      TTL: keptSeconds,
      urgency: "close" in message ? "normal" : "high",
      topic: sha256(tag).toString("base64url").slice(0, 32),
    },
  );
  const { status, headers: replyHeaders } = await guardedFetch(new URL(endpoint), {
    method: "POST",
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)])),
    body: body as Buffer,
    milliseconds: 10_000,
    bytes: 16 * 1024,
  });
  const how = howTaken(status);
  const wait = how === "later" ? retryAfterOf(replyHeaders["retry-after"]) : undefined;
  return { how, status, ...(wait !== undefined && { wait: Math.ceil(wait) }) };
}

function howTaken(status: number): PushResult["how"] {
  if (status >= 200 && status < 300) return "sent";
  if (status === 404 || status === 410) return "gone";
  return status === 429 || status >= 500 ? "later" : "refused";
}

/**
 * Returns the keys that identify us at push services (VAPID, RFC 8292), in base64url. The private
 * key is derived from SECRET, so every instance computes the same key and none stores it.
 */
export function vapidKeys(): { publicKey: string; privateKey: string } {
  // One derived scalar in four billion is outside P-256's range.
  for (let time = 1; ; time++) {
    const scalar = key(time === 1 ? "vapid" : `vapid ${time}`);
    const curve = createECDH("prime256v1");
    try {
      curve.setPrivateKey(scalar);
    } catch (error) {
      if (time === 5) throw error;
      continue;
    }
    return { publicKey: curve.getPublicKey("base64url"), privateKey: scalar.toString("base64url") };
  }
}

/** Returns the contact that a push service's operators can use. */
function contact(): string {
  const { publicUrl, mail } = env();
  if (publicUrl.startsWith("https:")) return publicUrl;
  return `mailto:${/[^\s<>]+@[^\s<>]+/.exec(mail?.from ?? "")?.[0] ?? `countersign@${new URL(publicUrl).hostname}`}`;
}
