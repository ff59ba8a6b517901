import { z } from "zod";
import { actionById, ById, ownerAction, visitorAction } from "@/lib/form-action";
import { newSigningSecret } from "@/lib/webhooks/signature";
import { answerByLink, answerLinkPath, answerSignInPath, undoByLink } from "./answer-link";
import { type ChannelKind, called } from "./channels/channel-interface";
import { addChannel, removeChannel, renameChannel, testChannel } from "./channels/channels";
import { gotify } from "./channels/gotify";
import { ntfy } from "./channels/ntfy";
import { slack } from "./channels/slack";
import { slackBot } from "./channels/slack-bot";
import { telegram } from "./channels/telegram";
import { webhook } from "./channels/webhook";
import { addDevice, checkInDevice, removeDevice, renewDevice, testDevice } from "./devices";
import { NewSubscription, RenewedSubscription } from "./push-schema";

/**
 * Adding a browser needs a recent sign-in, because alerts contain questions and some accept
 * answers.
 */
export const add = ownerAction({
  name: "device.add",
  input: NewSubscription,
  fresh: true,
  run: (owner, device, { userAgent }) => addDevice(owner, device, userAgent),
});

/** Records that the browser is still in use. Returns whether it still shows alerts. */
export const see = ownerAction({ name: "device.see", input: NewSubscription, run: checkInDevice });

/**
 * The service worker calls this action when the browser gets a new push address. Returns whether
 * the old address was known.
 */
export const renew = ownerAction({ name: "device.renew", input: RenewedSubscription, run: renewDevice });

export const test = actionById("device.test", testDevice);
export const remove = actionById("device.remove", removeDevice);

const adding = <const Kind extends ChannelKind, Fields extends z.ZodRawShape>(
  kind: Kind,
  fields: z.ZodObject<Fields>,
) =>
  ownerAction({
    name: `channel.add-${kind}`,
    input: fields.extend(called),
    fresh: true,
    run: (owner, given) => addChannel(owner, kind, given),
  });
export const addNtfy = adding("ntfy", ntfy.fields);
export const addGotify = adding("gotify", gotify.fields);
export const addTelegram = adding("telegram", telegram.fields);
export const addSlack = adding("slack", slack.fields);
export const addSlackBot = adding("slack-bot", slackBot.fields);

export const addWebhook = ownerAction({
  name: "channel.add-webhook",
  input: webhook.fields.omit({ secret: true }).extend(called),
  fresh: true,
  run: async (owner, given) => {
    const secret = newSigningSecret();
    await addChannel(owner, "webhook", { ...given, secret });
    return { secret };
  },
  secret: ({ secret }) => ({ title: "Channel added", shown: { "Signing secret": secret } }),
});

export const testOne = actionById("channel.test", testChannel);
export const removeOne = actionById("channel.remove", removeChannel);

export const rename = ownerAction({
  name: "channel.rename",
  input: ById.extend({ name: z.string() }),
  run: (owner, { id, name }) => renameChannel(owner, id, name),
});

const field = z.string().default("");

/**
 * Handles the buttons on an email link's page. Only the form's token authorizes them; the session
 * is ignored.
 */
export const answerByLinkAction = visitorAction({
  name: "approval.answer-by-link",
  input: z.object({ id: field, token: field, optionId: field, seen: field, undo: z.string().optional() }),
  run: (_, { undo, ...link }, visit) => (undo === undefined ? answerByLink(link, visit) : undoByLink(link, visit)),
  next({ id, token, undo }, became) {
    if (became === "gone") return answerSignInPath(id, undo === undefined ? "choice" : "link");
    return `${answerLinkPath(id, token)}${became === "answered" ? "" : `&outcome=${became}`}`;
  },
  failure: { title: "No changes were made", advice: "Open the link in the email again." },
});
