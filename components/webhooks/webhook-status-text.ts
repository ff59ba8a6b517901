import type { Attempt, DeliveryState, DisabledReason, EndpointState } from "@/lib/webhooks/schema";

/** An endpoint's status in one word. */
export const endpointWords: Record<EndpointState, { word: string; tone: "neutral" | "danger" }> = {
  on: { word: "On", tone: "neutral" },
  off: { word: "Off", tone: "neutral" },
  disabled: { word: "Disabled", tone: "danger" },
};

/** Says why we turned off an endpoint, and how to fix it. */
export const disabledWords: Record<DisabledReason, string> = {
  gone: "The endpoint responded with 410 Gone. If the response was a mistake, fix the endpoint and turn the webhook on again.",
  failing: "The endpoint didn’t accept any events for three days. Fix the endpoint and turn the webhook on again.",
  secret:
    "The signing secret can no longer be decrypted. Create a new secret, add it to your server and turn the webhook on again.",
};

/** A delivery's status in one word. */
export const deliveryWords: Record<DeliveryState, { word: string; tone: "neutral" | "danger" }> = {
  delivered: { word: "Delivered", tone: "neutral" },
  pending: { word: "Pending", tone: "neutral" },
  failed: { word: "Failed", tone: "danger" },
  dropped: { word: "Not sent", tone: "neutral" },
};

/** The result of an attempt: "200 in 12 ms", or the error and the duration. */
export const attemptWords = ({ status, problem, ms }: Attempt): string =>
  problem === undefined ? `${status} in ${ms} ms` : `${problem}, after ${ms} ms`;
