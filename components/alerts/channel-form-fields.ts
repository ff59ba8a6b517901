import type { ChannelKind } from "@/lib/alerts/channels/channel-interface";

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

/**
 * Defines a required secret field named `token`.
 * @param more overrides
 */
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
        "On ntfy.sh or your own server, choose a topic that no one can guess. Subscribe to the topic in the ntfy app.",
        "https://ntfy.sh/…",
      ),
      token(
        "Access token (optional)",
        "Required if the topic is protected. Create the token in ntfy under Account › Access tokens.",
        { required: false },
      ),
    ],
  },
  gotify: {
    label: "Gotify",
    fields: [
      address("Server address", "Enter the URL of your Gotify server.", "https://gotify.example.com"),
      token("Application token", "Create the token in Gotify under Apps › Create application."),
      token(
        "Client token (optional)",
        "Create the token in Gotify under Clients › Create client. We use the token to remove alerts after you answer.",
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
        "Send /newbot to @BotFather, answer its questions, and copy the token it sends you. Then open your bot and press Start.",
      ),
      {
        name: "chat",
        required: true,
        label: "Chat ID",
        hint: "Enter your numeric ID, a group’s ID with its minus sign, or a channel’s @name. The bot must be a member of the group or channel.",
        placeholder: "123456789",
      },
    ],
  },
  slack: {
    label: "Slack webhook",
    fields: [
      address(
        "Webhook address",
        "In Slack, copy the address from your app › Incoming Webhooks. Mattermost webhooks also work. Webhook messages stay unchanged after you answer.",
        "https://hooks.slack.com/services/…",
      ),
    ],
  },
  "slack-bot": {
    label: "Slack bot",
    fields: [
      token("Bot token", "After you install the app in Slack, copy the token from your app › OAuth & Permissions.", {
        placeholder: "xoxb-…",
      }),
      {
        name: "channel",
        required: true,
        label: "Member or channel ID",
        hint: "For direct messages, copy your ID in Slack under your profile › More › Copy member ID. For a channel, invite the bot first.",
        placeholder: "U012AB3CD",
      },
      token(
        "Signing secret (optional)",
        "In Slack, copy the secret from your app › Basic Information. Direct messages can then have answer buttons for low-risk questions. Slack must be able to reach this service.",
        { name: "signingSecret", required: false },
      ),
    ],
  },
  webhook: {
    label: "Signed webhook",
    fields: [
      address(
        "Address",
        "Enter an HTTPS URL on your server that accepts POST requests. You get a secret to verify signatures.",
        "https://home.example.com/alerts",
      ),
    ],
  },
};
