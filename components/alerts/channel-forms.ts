import type { ChannelKind } from "@/lib/alerts/channels/schema";

type ChannelField = {
  name: string;
  label: string;
  /** A hint on where to find the value. */
  hint: string;
  placeholder?: string;
  required?: boolean;
  /** A secret: masked, and not stored by browsers. */
  type?: "password";
  inputMode?: "url";
};
type ChannelForm = { label: string; fields: ChannelField[] };

const address = { name: "url", inputMode: "url", required: true } as const;
const token = { name: "token", type: "password", required: true } as const;

/** The form fields for each type of channel. */
export const channelForms: Readonly<Record<ChannelKind, ChannelForm>> = {
  ntfy: {
    label: "ntfy",
    fields: [
      {
        ...address,
        label: "Topic address",
        hint: "A topic no one can guess, on ntfy.sh or your own server. Subscribe to it in the ntfy app.",
        placeholder: "https://ntfy.sh/…",
      },
      {
        ...token,
        required: false,
        label: "Access token (optional)",
        hint: "For a protected topic. In ntfy: Account › Access tokens.",
      },
    ],
  },
  gotify: {
    label: "Gotify",
    fields: [
      {
        ...address,
        label: "Server address",
        hint: "The URL of your Gotify server.",
        placeholder: "https://gotify.example.com",
      },
      { ...token, label: "Application token", hint: "In Gotify: Apps › Create application." },
      {
        ...token,
        name: "clientToken",
        required: false,
        label: "Client token (optional)",
        hint: "In Gotify: Clients › Create client. Removes alerts once you answer.",
      },
    ],
  },
  telegram: {
    label: "Telegram",
    fields: [
      { ...token, label: "Bot token", hint: "Send /newbot to @BotFather. Then open your bot and press Start." },
      {
        name: "chat",
        required: true,
        label: "Chat",
        hint: "Your numeric ID, a group’s ID with its minus sign, or a channel’s @name. The bot must be a member.",
        placeholder: "123456789",
      },
    ],
  },
  slack: {
    label: "Slack webhook",
    fields: [
      {
        ...address,
        label: "Webhook address",
        hint: "In Slack: your app › Incoming Webhooks. Mattermost works too. These messages stay unchanged after you answer. A Slack bot updates its messages.",
        placeholder: "https://hooks.slack.com/services/…",
      },
    ],
  },
  "slack-bot": {
    label: "Slack bot",
    fields: [
      {
        ...token,
        label: "Bot token",
        hint: "In Slack: your app › OAuth & Permissions, once it is installed.",
        placeholder: "xoxb-…",
      },
      {
        name: "channel",
        required: true,
        label: "Member or channel ID",
        hint: "For direct messages, use your own ID: your profile › More › Copy member ID. For a channel, invite the bot first.",
        placeholder: "U012AB3CD",
      },
      {
        ...token,
        name: "signingSecret",
        required: false,
        label: "Signing secret (optional)",
        hint: "In Slack: your app › Basic Information. Adds answer buttons to messages. Slack must be able to reach this service.",
      },
    ],
  },
  webhook: {
    label: "Signed webhook",
    fields: [
      {
        ...address,
        label: "Address",
        hint: "A URL on your server that accepts POST requests. You get a secret to verify signatures.",
        placeholder: "https://home.example.com/alerts",
      },
    ],
  },
};
