import { createHmac } from "node:crypto";
import { z } from "zod";
import { env } from "@/lib/config/env";
import { constantTimeEqual } from "@/lib/keys/crypto";
import { cut } from "../message";
import type { AlertOffer } from "../schema";
import { type ChannelMessage, type ChannelResult, channelType, type SignedRequest } from "./schema";
import { sendToChannel } from "./send";
import { escapeMarkup, minutesLeft } from "./text";

/** What Slack's refusals mean to the owner. What is not among them is told by its name. */
const means: Readonly<Record<string, string>> = {
  invalid_auth: "Slack does not accept the bot token",
  not_authed: "Slack does not accept the bot token",
  token_revoked: "The bot token was revoked: install the Slack app again",
  token_expired: "The bot token has expired: install the Slack app again",
  account_inactive: "The Slack app was removed from its workspace",
  missing_scope: "The Slack app may not write: give it the scope chat:write and install it again",
  not_allowed_token_type: "This is not a bot token: it has to begin with xoxb-",
  channel_not_found: "Slack knows no such channel or member here; a private channel has to invite the bot first",
  user_not_found: "Slack knows no such member here",
  not_in_channel: "The bot is not in this channel: invite it there",
  is_archived: "The channel is archived",
  restricted_action: "The workspace does not let the bot write there",
  messages_tab_disabled: "The bot takes no direct messages: switch on its Messages tab under App Home",
};
const passing = [
  "ratelimited",
  "rate_limited",
  "internal_error",
  "fatal_error",
  "service_unavailable",
  "request_timeout",
];
/** There is nothing that could be changed any more. */
const past = ["message_not_found", "cant_update_message", "edit_window_closed", "channel_not_found", "is_archived"];

/** A bot of the owner's in Slack, which writes to a channel or to one member, and edits what it wrote. */
export const slackBot = channelType(
  z.object({
    token: z
      .string()
      .trim()
      .regex(/^xoxb-[\w-]{10,250}$/, "Must be a bot token, like xoxb-…"),
    channel: z
      .string()
      .trim()
      .regex(/^[CGDUW][A-Z0-9]{6,30}$/, "Must be a member’s or channel’s id, like U012AB3CD or C012AB3CD"),
    signingSecret: z
      .string()
      .trim()
      .regex(/^[0-9A-Za-z]{20,100}$/, "Must be the signing secret from Basic Information")
      .optional(),
  }),
  ({ token, channel, signingSecret }) => {
    const api = env().slackApi;
    // Only of a direct message Slack says who alone can press there.
    const member = /^[UW]/.test(channel) ? channel : undefined;
    const call = async (method: "chat.postMessage" | "chat.update", body: object) => {
      const headers = { authorization: `Bearer ${token}`, "content-type": "application/json; charset=utf-8" };
      const limited = { 429: "Slack takes no more messages for now" };
      const { result, said } = await sendToChannel(new URL(`/api/${method}`, api), {
        headers,
        body,
        ours: api,
        means: limited,
      });
      return { said, result: result.how === "sent" && said.ok !== true ? refusal(said.error) : result };
    };
    const update = async (receipt: string, text: string, blocks: object[]): Promise<ChannelResult> => {
      const [channel, ts] = receipt.split(" ");
      const { result, said } = await call("chat.update", { channel, ts, text, blocks });
      return past.includes(String(said.error)) ? { how: "sent" } : result;
    };
    return {
      service: new URL(api).host,
      show: async (message, { channel: id, receipt, offer }) => {
        const pressed = signingSecret === undefined ? undefined : { id, ...(member && offer && { offer }) };
        const [text, blocks] = [escapeMarkup(`${message.title}\n${message.body}`), blocksOf(message, pressed)];
        if (receipt !== null) return update(receipt, text, blocks);
        const quiet = { unfurl_links: false, unfurl_media: false };
        const { result, said } = await call("chat.postMessage", { channel, text, blocks, ...quiet });
        const team = (said.message as { team?: unknown } | undefined)?.team ?? "";
        return result.how === "sent" ? { how: "sent", receipt: [said.channel, said.ts, team].join(" ") } : result;
      },
      withdraw: async ({ receipt, ...alert }) => {
        if (receipt === null) return { how: "sent" };
        const text = minutesLeft(alert);
        return update(receipt, escapeMarkup(text), [section(text)]);
      },
      ...(signingSecret !== undefined && {
        buttons: {
          signed: (request) => constantTimeEqual(request.signature, signatureOf(signingSecret, request)),
          member,
          say: (receipt, told) =>
            update(receipt, escapeMarkup(`${told.title}\n${told.body}`), blocksOf(told, undefined)),
        },
      }),
    };
  },
);

/** As Slack signs what it sends (version v0). */
export const signatureOf = (secret: string, { timestamp, body }: Omit<SignedRequest, "signature">): string =>
  `v0=${createHmac("sha256", secret).update(`v0:${timestamp}:${body}`).digest("hex")}`;

function refusal(code: unknown): ChannelResult {
  const name = typeof code === "string" && /^\w{1,60}$/.test(code) ? code : undefined;
  if (name === undefined || passing.includes(name)) return { how: "later", problem: "Slack did not take the message" };
  return { how: "refused", problem: means[name] ?? `Slack refused the message (${name})` };
}

const words = (text: string) => ({ type: "plain_text", text, emoji: false });
const section = (text: string) => ({ type: "section", text: words(text) });

/**
 * A message in Block Kit, of plain text: an app's words are no link, mention or command.
 * @param pressed the channel's id where Slack tells us of a press, and the answers that it may be. Slack tells it of a button
 *   that only opens an address too, and warns the owner where nobody listens: there it is a link.
 */
function blocksOf(
  { title, body, link }: Pick<ChannelMessage, "title" | "body" | "link">,
  pressed: { id: string; offer?: AlertOffer } | undefined,
): object[] {
  const open = { type: "button", action_id: "open", text: words("Open"), url: link };
  const answers = pressed?.offer?.labels.map((label, at) => ({
    type: "button",
    action_id: `answer-${at}`,
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

/** Where Slack makes the app that a bot needs, already filled in. */
export function slackAppLink(): string {
  const { publicUrl } = env();
  const interactivity = { is_enabled: true, request_url: `${publicUrl}/alerts/slack` };
  const manifest = {
    display_information: { name: "Countersign", description: "Tells you when an app asks for your yes" },
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
