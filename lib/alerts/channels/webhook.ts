import { z } from "zod";
import { clock } from "@/lib/clock";
import { signatures } from "@/lib/webhooks/signature";
import { sendChannelRequest } from "./channel-http-request";
import { channelType } from "./channel-interface";
import { Address } from "./field-schemas";

/**
 * A webhook endpoint of the owner. Each message, and each withdrawal of a message, is sent as an
 * event that is signed as Standard Webhooks 1.0 specifies.
 */
export const webhook = channelType(z.object({ url: Address, secret: z.string() }), ({ url, secret }) => {
  const send = async (id: string, type: string, data: object) => {
    const now = new Date(clock.now());
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
