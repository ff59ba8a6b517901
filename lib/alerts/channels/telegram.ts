import { z } from "zod";
import { env } from "@/lib/config/env";
import { sendChannelRequest } from "./channel-http-request";
import { type ChannelResult, channelType } from "./channel-interface";
import { closedAlertText } from "./closed-alert-text";
import { formatted } from "./field-schemas";

const unknownToken =
  "Telegram doesn’t recognize the bot token. Add the channel again with the current token from @BotFather";
const means = {
  400: "Telegram doesn’t recognize the chat. Check the chat ID, and start the bot in Telegram",
  401: unknownToken,
  403: "The bot can’t post to the chat. Start the bot in Telegram, or add it to the group or channel",
  404: unknownToken,
};

/** The owner's Telegram bot, which posts to one chat and edits its messages. */
export const telegram = channelType(
  z.object({
    token: formatted(/^\d{3,20}:[\w-]{20,100}$/, "Must be a bot token from @BotFather, like 123456:ABC-DEF…"),
    chat: formatted(/^(-?\d{1,20}|@\w{4,32})$/, "Must be a chat ID, like 123456789, or @channelname"),
  }),
  ({ token, chat }) => {
    const api = env().telegramApi;
    const call = async (method: string, body: object): Promise<ChannelResult & { reply: Record<string, unknown> }> => {
      const url = new URL(`/bot${token}/${method}`, api);
      const { result, reply } = await sendChannelRequest(url, { body: { chat_id: chat, ...body }, ours: api, means });
      const wait = (reply.parameters as { retry_after?: unknown } | undefined)?.retry_after;
      return { ...result, reply, ...(result.how === "later" && typeof wait === "number" && { wait }) };
    };
    return {
      service: new URL(api).host,
      show: async ({ title, body, link }): Promise<ChannelResult> => {
        // Telegram accepts buttons only with https addresses.
        const button = link.startsWith("https:");
        const { reply, ...result } = await call("sendMessage", {
          text: [title, body, ...(button ? [] : [link])].join("\n"),
          link_preview_options: { is_disabled: true },
          ...(button && { reply_markup: { inline_keyboard: [[{ text: "Open", url: link }]] } }),
        });
        const id = (reply.result as { message_id?: unknown } | undefined)?.message_id;
        return result.how === "sent" && typeof id === "number" ? { ...result, receipt: String(id) } : result;
      },
      withdraw: async ({ receipt, ...alert }): Promise<ChannelResult> => {
        if (receipt === null) return { how: "sent" };
        const text = closedAlertText(alert);
        const { reply, ...result } = await call("editMessageText", { message_id: Number(receipt), text });
        // Status 400 means that the message was deleted in the chat, or already has this text.
        return reply.error_code === 400 ? { how: "sent" } : result;
      },
    };
  },
);
