import { createHmac } from "node:crypto";
import { z } from "zod";
import { env } from "@/lib/config/env";
import { constantTimeEqual } from "@/lib/keys/crypto";
import { cut } from "../alert-message";
import type { AlertOffer } from "../push-schema";
import { sendChannelRequest } from "./channel-http-request";
import { type ChannelMessage, type ChannelResult, channelType, type SignedRequest } from "./channel-interface";
import { closedAlertText } from "./closed-alert-text";
import { formatted } from "./field-schemas";
import { escapeMarkup } from "./slack-markup";

const rejectedToken = "Slack rejected the bot token. Add the channel again with the current bot token";
/** Explanations of Slack's error codes, in words for the owner. Other codes are shown by name. */
const means: Readonly<Record<string, string>> = {
  invalid_auth: rejectedToken,
  not_authed: rejectedToken,
  token_revoked: "The bot token was revoked. Reinstall the Slack app, then add the channel again",
  token_expired: "The bot token has expired. Reinstall the Slack app, then add the channel again",
  account_inactive: "The Slack app was removed from its workspace. Reinstall the Slack app, then add the channel again",
  missing_scope: "The Slack app can’t post. Add the chat:write scope, then reinstall the app",
  not_allowed_token_type: "The token isn’t a bot token. Add the channel again with a token that begins with xoxb-",
  channel_not_found:
    "Slack couldn’t find the channel or member. Check the ID. If the Slack channel is private, invite the bot",
  user_not_found: "Slack couldn’t find the member. Add the channel again with the right member ID",
  not_in_channel: "The bot isn’t in the Slack channel. Invite the bot to the Slack channel",
  is_archived: "The Slack channel is archived. Unarchive the channel in Slack",
  restricted_action:
    "The workspace doesn’t let the bot post in the Slack channel. Ask a workspace admin to allow the bot",
  messages_tab_disabled: "The bot can’t receive direct messages. Turn on the bot’s Messages tab under App Home",
};
const passing = "ratelimited rate_limited internal_error fatal_error service_unavailable request_timeout".split(" ");
/** Error codes for a message that can no longer be changed. Updating it then counts as done. */
const past = ["message_not_found", "cant_update_message", "edit_window_closed", "channel_not_found", "is_archived"];

/** The owner's Slack bot, which posts to a channel or one member, and edits its messages. */
export const slackBot = channelType(
  z.object({
    token: formatted(/^xoxb-[\w-]{10,250}$/, "Must be a bot token, like xoxb-…"),
    channel: formatted(/^[CGDUW][A-Z0-9]{6,30}$/, "Must be a member or channel ID, like U012AB3CD or C012AB3CD"),
    signingSecret: formatted(
      /^[0-9A-Za-z]{20,100}$/,
      "Must be the signing secret from the Slack app’s Basic Information page",
    ).optional(),
  }),
  ({ token, channel, signingSecret }) => {
    const api = env().slackApi;
    // In a channel, any member could press a button. Only a direct message has a single reader.
    const member = /^[UW]/.test(channel) ? channel : undefined;
    const call = async (method: "chat.postMessage" | "chat.update", body: object) => {
      const headers = { authorization: `Bearer ${token}`, "content-type": "application/json; charset=utf-8" };
      const limited = { 429: "Slack is rate limiting the bot’s messages" };
      const { result, reply } = await sendChannelRequest(new URL(`/api/${method}`, api), {
        headers,
        body,
        ours: api,
        means: limited,
      });
      return { reply, result: result.how === "sent" && reply.ok !== true ? refusal(reply.error) : result };
    };
    const update = async (receipt: string, text: string, blocks: object[]): Promise<ChannelResult> => {
      const [channel, ts] = receipt.split(" ");
      const { result, reply } = await call("chat.update", { channel, ts, text, blocks });
      return past.includes(String(reply.error)) ? { how: "sent" } : result;
    };
    return {
      service: new URL(api).host,
      show: async (message, { channel: id, receipt, offer }) => {
        const pressed = signingSecret === undefined ? undefined : { id, ...(member && offer && { offer }) };
        const [text, blocks] = [escapeMarkup(`${message.title}\n${message.body}`), blocksOf(message, pressed)];
        if (receipt !== null) return update(receipt, text, blocks);
        const quiet = { unfurl_links: false, unfurl_media: false };
        const { result, reply } = await call("chat.postMessage", { channel, text, blocks, ...quiet });
        const team = (reply.message as { team?: unknown } | undefined)?.team ?? "";
        return result.how === "sent" ? { how: "sent", receipt: [reply.channel, reply.ts, team].join(" ") } : result;
      },
      withdraw: async ({ receipt, ...alert }) => {
        if (receipt === null) return { how: "sent" };
        const text = closedAlertText(alert);
        return update(receipt, escapeMarkup(text), [section(text)]);
      },
      ...(signingSecret !== undefined && {
        buttons: {
          signed: (request) => constantTimeEqual(request.signature, signatureOf(signingSecret, request)),
          member,
          say: (receipt, message) =>
            update(receipt, escapeMarkup(`${message.title}\n${message.body}`), blocksOf(message, undefined)),
        },
      }),
    };
  },
);

/** Computes Slack's request signature (version v0). */
export const signatureOf = (secret: string, { timestamp, body }: Omit<SignedRequest, "signature">): string =>
  `v0=${createHmac("sha256", secret).update(`v0:${timestamp}:${body}`).digest("hex")}`;

function refusal(code: unknown): ChannelResult {
  const name = typeof code === "string" && /^\w{1,60}$/.test(code) ? code : undefined;
  if (name === undefined || passing.includes(name)) return { how: "later", problem: "Slack rejected the message" };
  return { how: "refused", problem: means[name] ?? `Slack rejected the message (${name})` };
}

const words = (text: string) => ({ type: "plain_text", text, emoji: false });
const section = (text: string) => ({ type: "section", text: words(text) });

/**
 * Returns a Block Kit message. The app's words are plain text, so that they never become a link,
 * mention or command.
 * @param pressed the channel's ID and the answers to offer; undefined if Slack can't report presses
 *   to us. Slack then warns anyone who presses a button, even one that only opens a page, so the
 *   message has a link instead.
 */
function blocksOf(
  { title, body, link }: Pick<ChannelMessage, "title" | "body" | "link">,
  pressed: { id: string; offer?: AlertOffer } | undefined,
): object[] {
  const open = { type: "button", action_id: "open", text: words("Open"), url: link };
  const answers = pressed?.offer?.labels.map((label, index) => ({
    type: "button",
    action_id: `answer-${index}`,
    text: words(label),
    value: pressed.offer?.ticket,
  }));
  return [
    { type: "header", text: words(cut(title, 150)) },
    ...(body ? [section(body)] : []),
    pressed && link.startsWith("https:")
      ? { type: "actions", block_id: pressed.id, elements: [...(answers ?? []), open] }
      : { type: "section", text: { type: "mrkdwn", text: `<${link}|Open>` } },
  ];
}

/** Returns the Slack page that creates the bot's app from a prefilled manifest. */
export function slackAppLink(): string {
  const { publicUrl } = env();
  const interactivity = { is_enabled: true, request_url: `${publicUrl}/alerts/slack` };
  const manifest = {
    display_information: { name: "Countersign", description: "Notifies you when an app needs your approval" },
    features: {
      bot_user: { display_name: "Countersign", always_online: true },
      app_home: { home_tab_enabled: false, messages_tab_enabled: true, messages_tab_read_only_enabled: true },
    },
    oauth_config: { scopes: { bot: ["chat:write"] } },
    settings: {
      ...(publicUrl.startsWith("https:") && { interactivity }),
      org_deploy_enabled: false,
      socket_mode_enabled: false,
      token_rotation_enabled: false,
    },
  };
  return `https://api.slack.com/apps?new_app=1&manifest_json=${encodeURIComponent(JSON.stringify(manifest))}`;
}
