import type { Attempt, DeliveryState, DisabledReason, EndpointState } from "@/lib/webhooks/schema";

/** Whether events are sent there, in a word. */
export const endpointWords: Record<EndpointState, { word: string; tone: "ok" | "neutral" | "danger" }> = {
  on: { word: "On", tone: "ok" },
  off: { word: "Off", tone: "neutral" },
  disabled: { word: "Switched off", tone: "danger" },
};

/** Why we switched it off, and what to do. */
export const disabledWords: Record<DisabledReason, string> = {
  gone: "Its receiver answered 410, gone for good. If that was a mistake, fix it and switch it on again.",
  failing: "Its receiver accepted nothing for three days. Fix it, and switch it on again.",
  secret: "Its signing secret can no longer be read. Create a new one, give it to the receiver, and switch it on.",
};

/** How far a delivery has come, in a word. */
export const deliveryWords: Record<DeliveryState, { word: string; tone: "ok" | "accent" | "neutral" | "danger" }> = {
  delivered: { word: "Delivered", tone: "ok" },
  pending: { word: "Pending", tone: "accent" },
  failed: { word: "Failed", tone: "danger" },
  dropped: { word: "Not sent", tone: "neutral" },
};

/** How an attempt went: "200 in 12 ms", "It answered 500, after 3 ms". */
export const attemptWords = ({ status, problem, ms }: Attempt): string =>
  problem === undefined ? `${status} in ${ms} ms` : `${problem}, after ${ms} ms`;
