import { z } from "zod";
import { sendChannelRequest } from "./channel-http-request";
import { type ChannelResult, channelType } from "./channel-interface";
import { Address, Token } from "./field-schemas";

const topicPath = /^\/([-_A-Za-z0-9]{1,64})\/?$/;
const topicOf = (url: string) => topicPath.exec(URL.canParse(url) ? new URL(url).pathname : "")?.[1];

const means = {
  401: "ntfy rejected the access token. Add the channel again with a new access token",
  403: "ntfy denied access to the topic. Add the channel again with an access token for the topic",
  429: "ntfy is rate limiting messages",
};

/**
 * An ntfy topic on a server. Each message's sequence ID is its alert's ID, by which servers from
 * version 2.16 delete the message. Older servers delete nothing.
 */
export const ntfy = channelType(
  z.object({
    url: Address.refine((url) => topicOf(url) !== undefined, "Must be a topic URL, like https://ntfy.sh/my-topic"),
    token: Token.optional(),
  }),
  ({ url, token }) => {
    const { origin, host } = new URL(url);
    const topic = topicOf(url) ?? "";
    const headers: Record<string, string> = token ? { authorization: `Bearer ${token}` } : {};
    return {
      service: host,
      show: async ({ id, title, body, link, urgent }) => {
        const actions = [{ action: "view", label: "Open", url: link, clear: true }];
        const message = {
          topic,
          title,
          message: body,
          click: link,
          priority: urgent ? 5 : 3,
          actions,
          sequence_id: id,
        };
        return (await sendChannelRequest(new URL("/", origin), { headers, body: message, means })).result;
      },
      withdraw: async ({ id }): Promise<ChannelResult> => {
        const gone = new URL(`/${topic}/${id}`, origin);
        const { result, status = 0 } = await sendChannelRequest(gone, { method: "DELETE", headers, means });
        return [404, 405].includes(status) ? { how: "sent" } : result;
      },
    };
  },
);
