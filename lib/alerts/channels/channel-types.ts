import type { ChannelKind, ChannelType } from "./channel-interface";
import { gotify } from "./gotify";
import { ntfy } from "./ntfy";
import { slack } from "./slack";
import { slackBot } from "./slack-bot";
import { telegram } from "./telegram";
import { webhook } from "./webhook";

/** All channel types, by kind. */
export const channelTypes: Record<ChannelKind, ChannelType> = {
  ntfy,
  gotify,
  telegram,
  slack,
  "slack-bot": slackBot,
  webhook,
};
