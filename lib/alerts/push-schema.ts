import { z } from "zod";
import type { Fact } from "@/lib/approvals/facts";

const base64url = (bytes: number, message: string) =>
  z.string().refine((text) => /^[\w-]+$/.test(text) && Buffer.from(text, "base64url").length === bytes, message);

/** A browser's PushSubscription (Push API; RFC 8291 section 3.1). */
export const NewSubscription = z.object({
  endpoint: z.string().max(1500, "Must be at most 1,500 characters"),
  /** An uncompressed P-256 point. */
  p256dh: base64url(65, "Must be a P-256 key, 65 bytes in base64url"),
  auth: base64url(16, "Must be 16 bytes in base64url"),
});
export type NewSubscription = z.output<typeof NewSubscription>;

/** A subscription that replaces the browser's old one. The `old…` fields identify the old one. */
export const RenewedSubscription = NewSubscription.extend({
  oldEndpoint: NewSubscription.shape.endpoint,
  oldP256dh: NewSubscription.shape.p256dh,
  oldAuth: NewSubscription.shape.auth,
});
export type RenewedSubscription = z.output<typeof RenewedSubscription>;

/** A browser that shows alerts, in its owner's view. Times are in epoch milliseconds. */
export type DeviceSummary = {
  id: string;
  /** The browser and system, like "Chrome on Linux". */
  device: string;
  createdAt: number;
  /** When the browser last got a message. */
  toldAt?: number;
  /** Whether this browser made the request. */
  current: boolean;
};

/** The content of an alert. */
export type AlertContent = {
  about: "questions" | "notifications";
  /**
   * The notification tag in browsers: the ID of a single question or notification, or the app's ID
   * with `about` for several.
   */
  tag: string;
  app: string;
  /** The number of current questions or notifications. `first` is the oldest of them. */
  count: number;
  first: { id: string; title: string; body: string; facts?: Fact[] | null };
  /** Whether the app has another open alert with the same `about`. */
  more: boolean;
  /** For a reminder: milliseconds until the nearest deadline. */
  leftMs?: number;
  offer?: AlertOffer;
};

/** The answers that an alert offers, with the question's full text. */
export type AlertOffer = {
  text: string;
  labels: string[];
  /** The ticket that allows one answer to this question from this device. */
  ticket: string;
};

/**
 * A declarative push message (W3C Push API). Safari shows it natively. In other browsers, our
 * service worker shows it.
 */
export type ShowMessage = {
  web_push: 8030;
  notification: {
    title: string;
    body: string;
    lang: "en";
    dir: "auto";
    /** The URL that a click opens. */
    navigate: string;
    /**
     * The notification's tag. A notification with the same tag replaces it, and a `CloseMessage`
     * closes it.
     */
    tag: string;
    requireInteraction: boolean;
    data?: { ticket: string };
    actions: { action: string; title: string; navigate: string }[];
  };
  /** The number of pending questions. */
  app_badge?: number;
};

/** A message that closes a notification and shows none. */
export type CloseMessage = { close: string; app_badge: number };
