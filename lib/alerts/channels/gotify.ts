import { z } from "zod";
import { sendChannelRequest } from "./channel-http-request";
import { type ChannelResult, channelType } from "./channel-interface";
import { Address, Token } from "./field-schemas";

/**
 * A Gotify server, whose address may include a path. Its application token can only send messages,
 * so withdrawing them requires a client token.
 */
export const gotify = channelType(
  z.object({ url: Address, token: Token, clientToken: Token.optional() }),
  ({ url, token, clientToken }) => {
    const urlOf = (path: string) => new URL(path, url.endsWith("/") ? url : `${url}/`);
    const asClient = {
      headers: { "x-gotify-key": clientToken ?? "" },
      means: {
        401: "Gotify rejected the client token. Add the channel again with a new client token",
        403: "The client token can’t delete Gotify messages. Add the channel again with a new client token",
      },
    };
    return {
      service: new URL(url).host,
      show: async ({ title, body, link, urgent }): Promise<ChannelResult> => {
        const { result, reply } = await sendChannelRequest(urlOf("message"), {
          headers: { "x-gotify-key": token },
          body: {
            title,
            message: `${body}\n${link}`,
            priority: urgent ? 8 : 5,
            extras: { "client::notification": { click: { url: link } } },
          },
          means: {
            401: "Gotify rejected the application token. Add the channel again with a new application token",
            403: "The token isn’t an application token. Add the channel again with a token from Apps in Gotify",
            404: "There is no Gotify server at this address. Add the channel again with the right address",
          },
        });
        return result.how === "sent" && typeof reply.id === "number"
          ? { ...result, receipt: String(reply.id) }
          : result;
      },
      ...(clientToken && {
        withdraw: async ({ receipt }): Promise<ChannelResult> => {
          if (receipt === null) return { how: "sent" };
          const { result, status } = await sendChannelRequest(urlOf(`message/${receipt}`), {
            method: "DELETE",
            ...asClient,
          });
          return status === 404 ? { how: "sent" } : result;
        },
        check: async () => (await sendChannelRequest(urlOf("current/user"), { method: "GET", ...asClient })).result,
      }),
    };
  },
);
