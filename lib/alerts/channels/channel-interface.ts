import type { z } from "zod";
import type { HowEnded } from "@/lib/approvals/approval-sql-for-other-domains";
import { text } from "@/lib/text/text-schema";
import type { AlertContent, AlertOffer } from "../push-schema";

/** The types of alert channels, with their display names. */
export const channelLabels = {
  ntfy: "ntfy",
  gotify: "Gotify",
  telegram: "Telegram",
  slack: "Slack",
  "slack-bot": "Slack bot",
  webhook: "Webhook",
} as const;
export type ChannelKind = keyof typeof channelLabels;

/** The owner's name for a channel. */
export const ChannelName = text({ max: 60 });
/** The name field of the form that adds a channel; defaults to the type's name. */
export const called = { name: ChannelName.optional() };

/** A channel in its owner's view, without its credentials. Times are in epoch milliseconds. */
export type ChannelSummary = {
  id: string;
  kind: ChannelKind;
  name: string;
  /** The channel server's host. */
  service: string;
  createdAt: number;
  toldAt?: number;
  failingSince?: number;
  /** The reason for the last failure. */
  problem?: string;
};

/** An alert in the form that channels send. */
export type ChannelMessage = Pick<AlertContent, "app" | "count"> & {
  /** The alert's ID, by which some services recognize a repeated message. */
  id: string;
  about: AlertContent["about"] | "test";
  title: string;
  body: string;
  /** The URL of the page where the owner can answer. */
  link: string;
  /** Whether a deadline is near. */
  urgent: boolean;
};

/** The channel that a message goes to, and what the channel needs besides the message. */
export type ChannelSending = {
  /** The channel's ID. */
  channel: string;
  /** The service's ID for the alert's earlier message; null if none was sent. */
  receipt: string | null;
  /** The answers that the channel can offer as buttons. */
  offer?: AlertOffer;
};

/** The withdrawal of a sent alert. */
export type ChannelWithdrawal = Pick<ChannelMessage, "id" | "app" | "about"> & {
  /** The service's ID for the message. */
  receipt: string | null;
  /** Whether a newer alert replaces the withdrawn one. */
  replaced: boolean;
  /** The decision on the question, if the channel may show it. */
  ending?: HowEnded;
};

/**
 * The result of sending a message. `refused`: a retry would fail too. `later`: a retry may succeed,
 * after `wait` seconds if the service asked for that. `problem`: text for the owner.
 */
export type ChannelResult =
  | { how: "sent"; receipt?: string }
  | { how: "refused" | "later"; problem: string; wait?: number };

/** A service's signed request, before its body is parsed. */
export type SignedRequest = { timestamp: string; signature: string; body: string };

export type Buttons = {
  /** Whether the service signed the request. */
  signed(request: SignedRequest): boolean;
  /** The only member who can press a button in this channel. Absent if other members can, too. */
  member: string | undefined;
  /** Updates a message, so that it shows the result of a press. */
  say(receipt: string, message: Pick<ChannelMessage, "title" | "body" | "link">): Promise<ChannelResult>;
};

/** A channel with decrypted credentials. */
export type OpenChannel = {
  /** The channel server's host. */
  service: string;
  show(message: ChannelMessage, to: ChannelSending): Promise<ChannelResult>;
  /** Deletes a message or marks it as closed. Absent if the service supports neither. */
  withdraw?(alert: ChannelWithdrawal): Promise<ChannelResult>;
  /** Checks what a test message doesn't cover, such as a second token. */
  check?(): Promise<ChannelResult>;
  /** Present for services that report button presses. */
  buttons?: Buttons;
};

/** A type of channel: the fields it needs, and how to use it. */
export type ChannelType<Fields extends z.ZodObject = z.ZodObject> = {
  fields: Fields;
  /**
   * Opens a channel with its stored fields.
   * @throws {z.ZodError} for fields that are invalid or no longer allowed
   */
  open(kept: unknown): OpenChannel;
};

/** @see ChannelType */
export const channelType = <Fields extends z.ZodObject>(
  fields: Fields,
  open: (given: z.output<Fields>) => OpenChannel,
): ChannelType<Fields> => ({ fields, open: (kept) => open(fields.parse(kept)) });
