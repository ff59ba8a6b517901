import { z } from "zod";
import { sendChannelRequest } from "./channel-http-request";
import { channelType } from "./channel-interface";
import { Address } from "./field-schemas";
import { escapeMarkup } from "./slack-markup";

/**
 * A Slack incoming webhook, or a compatible one. Its messages can be neither edited nor deleted.
 */
export const slack = channelType(z.object({ url: Address }), ({ url }) => ({
  service: new URL(url).host,
  show: async ({ title, body, link }) => {
    const text = `${escapeMarkup(title)}\n${escapeMarkup(body)}\n<${link}|Open>`;
    const means = {
      403: "Slack no longer accepts the channel’s webhook URL. Add the channel again with a new URL",
      404: "Slack doesn’t recognize the channel’s webhook URL. Add the channel again with a new URL",
      410: "The Slack channel is archived. Unarchive the channel in Slack",
    };
    return (await sendChannelRequest(new URL(url), { body: { text, unfurl_links: false }, means })).result;
  },
}));
