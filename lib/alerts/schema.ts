import { z } from "zod";

const base64url = (bytes: number, message: string) =>
  z.string().refine((text) => /^[\w-]+$/.test(text) && Buffer.from(text, "base64url").length === bytes, message);

/** What a browser's PushSubscription says of itself (Push API; RFC 8291 section 3.1). */
export const NewSubscription = z.object({
  endpoint: z.string().max(1500, "Must be at most 1500 characters"),
  /** An uncompressed point of P-256. */
  p256dh: base64url(65, "Must be a P-256 key, 65 bytes in base64url"),
  auth: base64url(16, "Must be 16 bytes in base64url"),
});
export type NewSubscription = z.output<typeof NewSubscription>;

/** A browser's subscription that takes the place of the one it had, which is in the fields with `old`. */
export const RenewedSubscription = NewSubscription.extend({
  oldEndpoint: NewSubscription.shape.endpoint,
  oldP256dh: NewSubscription.shape.p256dh,
  oldAuth: NewSubscription.shape.auth,
});
export type RenewedSubscription = z.output<typeof RenewedSubscription>;

/** A browser that shows alerts, as its owner sees it. Times in epoch milliseconds. */
export type DeviceSummary = {
  id: string;
  /** "Chrome on Linux". */
  device: string;
  createdAt: number;
  /** When it was last sent something. */
  toldAt?: number;
  /** Whether it is the browser that asks. */
  current: boolean;
};

/** What an alert tells of, in the words of the app. */
export type AlertContent = {
  about: "questions" | "notifications";
  /** What it goes by in a browser: one question by its own id, several by the app's. */
  tag: string;
  app: string;
  /** How many; `first` is the one that came first. */
  count: number;
  first: { id: string; title: string; body: string };
  /** Whether others of the app had been told before and still wait. */
  more: boolean;
  /** Of a reminder: how long there is until the next of their deadlines. */
  leftMs?: number;
  offer?: AlertOffer;
};

/** The answers that an alert offers, with all that there is to read of the question. */
export type AlertOffer = {
  text: string;
  labels: string[];
  /** Opens this one answer, here, once. */
  ticket: string;
};

/** A declarative push message (W3C Push API): what Safari shows by itself, and our service worker everywhere else. */
export type ShowMessage = {
  web_push: 8030;
  notification: {
    title: string;
    body: string;
    lang: "en";
    dir: "auto";
    /** Where a click leads. */
    navigate: string;
    /** Names what is shown: another with the same takes its place, and a `CloseMessage` takes it away. */
    tag: string;
    requireInteraction: boolean;
    data?: { ticket: string };
    actions: { action: string; title: string; navigate: string }[];
  };
  /** How many questions wait. */
  app_badge?: number;
};

/** Takes away what was shown, without showing anything. */
export type CloseMessage = { close: string; app_badge: number };
