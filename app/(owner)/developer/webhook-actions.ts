"use server";
import { redirect } from "next/navigation";
import { z } from "zod";
import { toldTypes } from "@/lib/event-feed/told";
import { ownerAction } from "@/lib/web/owner-action";
import { awaitAttempt, getDelivery, resend, sendTest } from "@/lib/webhooks/deliveries";
import {
  addEndpoint,
  changeEndpoint,
  getEndpoint,
  removeEndpoint,
  rotateEndpointSecret,
  switchEndpoint,
} from "@/lib/webhooks/endpoints";
import { thenRefresh } from "../then-refresh";

const id = z.string().max(100);
/** The fields of `EndpointFields`; what the values may be is decided where they are used. */
const fields = { url: z.string(), description: z.string().default(""), types: z.array(z.enum(toldTypes)) };
const OneOf = z.object({ id });

export const addWebhook = ownerAction(
  z.object({ clientId: z.string(), ...fields }),
  thenRefresh((owner, { clientId, ...endpoint }) => addEndpoint(owner, clientId, endpoint)),
);
export const changeWebhook = ownerAction(
  z.object({ id, ...fields }),
  thenRefresh((owner, { id, ...endpoint }) => changeEndpoint(owner, id, endpoint)),
);
export const switchWebhook = ownerAction(
  OneOf.extend({ on: z.enum(["yes", "no"]).transform((value) => value === "yes") }),
  thenRefresh((owner, { id, on }) => switchEndpoint(owner, id, on)),
);
export const rotateWebhookSecret = ownerAction(
  OneOf,
  thenRefresh((owner, { id }) => rotateEndpointSecret(owner, id)),
);
export const removeWebhook = ownerAction(OneOf, async (owner, { id }) => {
  const { clientId } = await getEndpoint(owner, id);
  await removeEndpoint(owner, id);
  redirect(`/developer/${clientId}`);
});
export const testWebhook = ownerAction(
  OneOf,
  thenRefresh(async (owner, { id }) => {
    const { state, latest } = await awaitAttempt(owner, (await sendTest(owner, id)).id);
    return { state, ...(latest && { latest }) };
  }),
);
export const resendWebhook = ownerAction(
  OneOf,
  thenRefresh(async (owner, { id }) => {
    const { attempts } = await getDelivery(owner, id);
    await resend(owner, id);
    const { state, latest } = await awaitAttempt(owner, id, attempts);
    return { state, ...(latest && { latest }) };
  }),
);
