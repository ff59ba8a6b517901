import type { z } from "zod";
import type { HowEnded } from "@/lib/approvals/sql";
import { text } from "@/lib/text/text";
import type { AlertContent, AlertOffer } from "../schema";

/** Where alerts may go besides browsers and e-mail, and what each is called. */
export const channelLabels = {
  ntfy: "ntfy",
  gotify: "Gotify",
  telegram: "Telegram",
  slack: "Slack",
  "slack-bot": "Slack bot",
  webhook: "Webhook",
} as const;
export type ChannelKind = keyof typeof channelLabels;

/** What an owner calls a channel. */
export const ChannelName = text({ max: 60 });
/** The field of a form that adds one: its kind names it, unless the owner does. */
export const called = { name: ChannelName.optional() };

/** A channel as its owner sees it: nothing that opens it. Times in epoch milliseconds. */
export type ChannelSummary = {
  id: string;
  kind: ChannelKind;
  name: string;
  /** The host of its server. */
  service: string;
  createdAt: number;
  toldAt?: number;
  failingSince?: number;
  /** Why it failed last. */
  problem?: string;
};

/** An alert, as channels send it. */
export type ChannelMessage = Pick<AlertContent, "app" | "count"> & {
  /** Names the alert: sent twice, it is still one. */
  id: string;
  about: AlertContent["about"] | "test";
  title: string;
  body: string;
  /** Where to answer. */
  link: string;
  /** Whether a deadline is near. */
  urgent: boolean;
};

/** What is known of where and what it is sent, besides its words. */
export type ChannelSending = {
  /** The channel's id. */
  channel: string;
  /** What the service calls the message, where it was sent before and is to be shown again as it was. */
  receipt: string | null;
  /** The answers that the channel may offer, if it can. */
  offer?: AlertOffer;
};

/** The end of an alert that was sent. */
export type ChannelWithdrawal = Pick<ChannelMessage, "id" | "app" | "about"> & {
  /** What the channel's service calls the message. */
  receipt: string | null;
  /** Whether a newer alert tells of the same. */
  replaced: boolean;
  /** How its question was decided, where that may be said there. */
  ending?: HowEnded;
};

/** How a channel took a message. `wait` in seconds, where it asked for that; `problem` is for its owner. */
export type ChannelResult =
  | { how: "sent"; receipt?: string }
  | { how: "refused" | "later"; problem: string; wait?: number };

/** A request that a service made, as it came. */
export type SignedRequest = { timestamp: string; signature: string; body: string };

export type Buttons = {
  /** Whether the service made the request. */
  signed(request: SignedRequest): boolean;
  /** The only one who can press there; absent where others could too. */
  member: string | undefined;
  /** Have a message say what became of a press. */
  say(receipt: string, told: Pick<ChannelMessage, "title" | "body" | "link">): Promise<ChannelResult>;
};

/** A channel that can be used. */
export type OpenChannel = {
  /** The host of its server. */
  service: string;
  show(message: ChannelMessage, to: ChannelSending): Promise<ChannelResult>;
  /** Take a message away, or say in it that it is over; absent where the service cannot. */
  withdraw?(alert: ChannelWithdrawal): Promise<ChannelResult>;
  /** What a test looks at besides. */
  check?(): Promise<ChannelResult>;
  /** Of a service that tells us when somebody presses a button below what we sent. */
  buttons?: Buttons;
};

/** A kind of channel: what its owner gives, and what is done with it. */
export type ChannelType<Fields extends z.ZodObject = z.ZodObject> = {
  fields: Fields;
  /** @throws {z.ZodError} for what is none of its fields, or no longer allowed */
  open(kept: unknown): OpenChannel;
};

/** @see ChannelType */
export const channelType = <Fields extends z.ZodObject>(
  fields: Fields,
  open: (given: z.output<Fields>) => OpenChannel,
): ChannelType<Fields> => ({ fields, open: (kept) => open(fields.parse(kept)) });
