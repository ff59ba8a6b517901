import { z } from "zod";
import { appEventTypes } from "@/lib/event-feed/event-type-names";
import { refuse, text } from "@/lib/text/text-schema";
import { idFilter, optionalParam } from "@/lib/text/url-filters";
import { addressProblem } from "./check-endpoint-url";

const Url = z.string().trim().check(refuse(addressProblem));

/** The input for an endpoint. An empty list of types means all, including future ones. */
export const NewEndpoint = z.strictObject({
  url: Url,
  description: text({ max: 200, min: 0 }).default(""),
  types: z.array(z.enum(appEventTypes)).max(appEventTypes.length).default([]),
});
export type NewEndpoint = z.input<typeof NewEndpoint>;

/** `off`: turned off by the endpoint's owner. `disabled`: turned off by the service. */
export type EndpointState = "on" | "off" | "disabled";

/**
 * Why the service disabled an endpoint: it responded with 410, it failed for days, or no key
 * decrypts its signing secret.
 */
export type DisabledReason = "gone" | "failing" | "secret";

/** An endpoint as the app's owner sees it. Times are in epoch milliseconds. */
export type WebhookEndpoint = {
  id: string;
  clientId: string;
  url: string;
  description: string;
  types: string[];
  state: EndpointState;
  disabledReason?: DisabledReason;
  /** When the current run of consecutive failures began. */
  failingSince?: number;
  /** When the previous secret stops being valid. */
  oldSecretUntil?: number;
  createdAt: number;
};

/** `dropped`: no longer sent, because a permission was revoked or the endpoint was turned off. */
export const DeliveryState = z.enum(["pending", "delivered", "failed", "dropped"]);
export type DeliveryState = z.output<typeof DeliveryState>;

/**
 * The result of an attempt. `status` is the status of the response, and `problem` our description
 * of the failure.
 */
export type Attempt = { number: number; at: number; ms: number; status?: number; problem?: string };

/** A delivery of one event to one endpoint. */
export type Delivery = {
  id: string;
  /** The `webhook-id` header. */
  event: string;
  type: string;
  state: DeliveryState;
  attempts: number;
  createdAt: number;
  /** The time of the next attempt, if there is one. */
  dueAt?: number;
  latest?: Attempt;
};
/** A page of deliveries. It is incomplete while a database is away. */
export type DeliveryPage = { items: Delivery[]; next?: string; isComplete: boolean };
/** A delivery with its attempts and its body. */
export type WholeDelivery = Delivery & { endpointId: string; tries: Attempt[]; body: string };

/** The filter for the displayed deliveries. */
export const DeliveryFilter = z.object({ state: optionalParam(DeliveryState), before: idFilter("whd") });
export type DeliveryFilter = z.input<typeof DeliveryFilter>;
