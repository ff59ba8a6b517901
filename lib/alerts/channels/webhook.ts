import { z } from "zod";
import { signatures } from "@/lib/webhooks/signature";
import { sendChannelRequest } from "./channel-http-request";
import { channelType } from "./channel-interface";
import { Address } from "./field-schemas";

/**
 * An endpoint of the owner. Each message and each withdrawal arrives as an event, signed as in
 * Standard Webhooks 1.0.
 */
export const webhook = channelType(z.object({ url: Address, secret: z.string() }), ({ url, secret }) => {
  const send = async (id: string, type: string, data: object) => {
    const now = new Date();
    const [timestamp, body] = [Math.floor(now.getTime() / 1000), JSON.stringify({ type, timestamp: now, data })];
    const signed = signatures([secret], { id, timestamp, body });
    const headers = { "webhook-id": id, "webhook-timestamp": String(timestamp), "webhook-signature": signed };
    return (await sendChannelRequest(new URL(url), { body, headers })).result;
  };
  return {
    service: new URL(url).host,
    show: ({ about, ...shown }) => send(shown.id, about === "test" ? "alert.test" : "alert.shown", { ...shown, about }),
    withdraw: ({ id, app, about, replaced }) => send(`${id}.closed`, "alert.closed", { id, app, about, replaced }),
  };
});
