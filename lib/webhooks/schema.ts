import { z } from "zod";
import { appEventTypes } from "@/lib/event-feed/type-names";
import { idFilter, optionalParam } from "@/lib/text/filters";
import { refuse, text } from "@/lib/text/text";
import { addressProblem } from "./address";

const Url = z.string().trim().check(refuse(addressProblem));

/** Where to send what. No type named stands for all, also those to come. */
export const NewEndpoint = z.strictObject({
  url: Url,
  description: text({ max: 200, min: 0 }).default(""),
  types: z.array(z.enum(appEventTypes)).max(appEventTypes.length).default([]),
});
export type NewEndpoint = z.input<typeof NewEndpoint>;

/** `off`: by its owner. `disabled`: by us. */
export type EndpointState = "on" | "off" | "disabled";

/** Why we switched an endpoint off: it answered 410, it failed for days, or no key opens what it is signed with. */
export type DisabledReason = "gone" | "failing" | "secret";

/** Where an app is told of events, as whoever registered the app sees it. Times in epoch milliseconds. */
export type WebhookEndpoint = {
  id: string;
  clientId: string;
  url: string;
  description: string;
  types: string[];
  state: EndpointState;
  disabledReason?: DisabledReason;
  /** Since when every attempt failed. */
  failingSince?: number;
  /** Until when what was signed with before the last rotation signs too. */
  oldSecretUntil?: number;
  createdAt: number;
};

/** `dropped`: not sent any more, since somebody took a permission back or switched the endpoint off. */
export const DeliveryState = z.enum(["pending", "delivered", "failed", "dropped"]);
export type DeliveryState = z.output<typeof DeliveryState>;

/** How an attempt went: `status` is what the receiver answered, `problem` what went wrong, in a sentence of ours. */
export type Attempt = { number: number; at: number; ms: number; status?: number; problem?: string };

/** One event on its way to one endpoint. */
export type Delivery = {
  id: string;
  /** What `webhook-id` says. */
  event: string;
  type: string;
  state: DeliveryState;
  attempts: number;
  createdAt: number;
  /** The next attempt, while there is one to come. */
  dueAt?: number;
  latest?: Attempt;
};
export type DeliveryPage = { items: Delivery[]; next?: string };
/** With what was sent, where anything was. */
export type WholeDelivery = Delivery & { endpointId: string; tries: Attempt[]; body: string };

/** Which deliveries to show. */
export const DeliveryFilter = z.object({ state: optionalParam(DeliveryState), before: idFilter("whd") });
export type DeliveryFilter = z.input<typeof DeliveryFilter>;
