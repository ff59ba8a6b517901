import { z } from "zod";
import { Address } from "./fields";
import { channelType } from "./schema";
import { sendToChannel } from "./send";
import { escapeMarkup } from "./text";

/** An incoming webhook of Slack, or of what takes the same. What it was sent it can neither edit nor delete. */
export const slack = channelType(z.object({ url: Address }), ({ url }) => ({
  service: new URL(url).host,
  show: async ({ title, body, link }) => {
    const text = `${escapeMarkup(title)}\n${escapeMarkup(body)}\n<${link}|Open>`;
    const means = {
      403: "Slack no longer accepts this address",
      404: "Slack does not know this address",
      410: "The channel is archived",
    };
    return (await sendToChannel(new URL(url), { body: { text, unfurl_links: false }, means })).result;
  },
}));
