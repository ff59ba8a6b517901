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

const address = (label: string, hint: string, placeholder: string): ChannelField => ({
  ...{ name: "url", inputMode: "url", required: true },
  ...{ label, hint, placeholder },
});

/** Defines a secret field. @param more overrides for a required field named `token` */
const token = (label: string, hint: string, more: Partial<ChannelField> = {}): ChannelField => ({
  ...{ name: "token", type: "password", required: true },
  ...{ label, hint, ...more },
});

/** The form fields for each type of channel. */
export const channelForms: Readonly<Record<ChannelKind, ChannelForm>> = {
  ntfy: {
    label: "ntfy",
    fields: [
      address(
        "Topic address",
        "A topic no one can guess, on ntfy.sh or your own server. Subscribe to it in the ntfy app.",
        "https://ntfy.sh/…",
      ),
      token("Access token (optional)", "For a protected topic. In ntfy: Account › Access tokens.", { required: false }),
    ],
  },
  gotify: {
    label: "Gotify",
    fields: [
      address("Server address", "The URL of your Gotify server.", "https://gotify.example.com"),
      token("Application token", "In Gotify: Apps › Create application."),
      token(
        "Client token (optional)",
        "In Gotify: Clients › Create client. With this token, we remove alerts once you answer.",
        {
          name: "clientToken",
          required: false,
        },
      ),
    ],
  },
  telegram: {
    label: "Telegram",
    fields: [
      token(
        "Bot token",
        "Send /newbot to @BotFather and copy the token from the reply. Then open your bot and press Start.",
      ),
      {
        name: "chat",
        required: true,
        label: "Chat",
        hint: "Your numeric ID, a group’s ID with its minus sign, or a channel’s @name. The bot must be a member of that group or channel.",
        placeholder: "123456789",
      },
    ],
  },
  slack: {
    label: "Slack webhook",
    fields: [
      address(
        "Webhook address",
        "In Slack: your app › Incoming Webhooks. Mattermost works too. A webhook can’t update messages after you answer. A Slack bot can.",
        "https://hooks.slack.com/services/…",
      ),
    ],
  },
  "slack-bot": {
    label: "Slack bot",
    fields: [
      token("Bot token", "In Slack: your app › OAuth & Permissions, once the app is installed.", {
        placeholder: "xoxb-…",
      }),
      {
        name: "channel",
        required: true,
        label: "Member or channel ID",
        hint: "For direct messages, use your own ID: your profile › More › Copy member ID. For a channel, invite the bot first.",
        placeholder: "U012AB3CD",
      },
      token(
        "Signing secret (optional)",
        "In Slack: your app › Basic Information. With this secret, messages get answer buttons. Slack must be able to reach this service.",
        { name: "signingSecret", required: false },
      ),
    ],
  },
  webhook: {
    label: "Signed webhook",
    fields: [
      address(
        "Address",
        "A URL on your server that accepts POST requests. You get a secret to verify signatures.",
        "https://home.example.com/alerts",
      ),
    ],
  },
};
