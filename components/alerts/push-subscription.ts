"use client";
import { sendAction } from "@/components/actions/send-action";
import { alertsStorageKey } from "./alerts-owner-storage-key";

/**
 * The state of alerts in this browser. `no`: not supported. `install`: supported only once the
 * service is on the home screen (iOS). `blocked`: the owner or the system denied permission. `off`:
 * not turned on for this owner.
 */
export type AlertsHere = "no" | "install" | "blocked" | "off" | "on";

/** The local storage key that is set when the owner dismisses the offer of alerts. */
export const declined = "countersign.offer.alerts";

export function alertsHere(ownerId: string): AlertsHere {
  if (!("serviceWorker" in navigator && "PushManager" in window && "Notification" in window))
    return isApplePhone() && !isInstalled() ? "install" : "no";
  if (Notification.permission === "denied") return "blocked";
  return Notification.permission === "granted" && localStorage.getItem(alertsStorageKey) === ownerId ? "on" : "off";
}

export const isApplePhone = (): boolean =>
  /iPhone|iPad|iPod/.test(navigator.userAgent) ||
  (/Macintosh/.test(navigator.userAgent) && navigator.maxTouchPoints > 1);

export const isInstalled = (): boolean =>
  matchMedia("(display-mode: standalone)").matches || ("standalone" in navigator && navigator.standalone === true);

/**
 * Why alerts are off, as a message for the owner. `signIn` is the sign-in URL, if the owner only
 * has to sign in again.
 */
export type NotOn = { message: string; signIn?: string | undefined };

/**
 * Asks for permission, subscribes and registers the browser. Browsers require a user gesture.
 * @returns undefined when alerts are on
 */
export async function turnAlertsOn(ownerId: string, publicKey: string): Promise<NotOn | undefined> {
  const permission = await Notification.requestPermission();
  if (permission === "denied")
    return {
      message: "The browser blocks notifications. Allow notifications for this site in the browser’s settings.",
    };
  if (permission !== "granted")
    return { message: "Notifications are still off. Turn on alerts again and choose Allow." };
  try {
    const { pushManager } = await navigator.serviceWorker.ready;
    const subscription = await pushManager.getSubscription().then(async (old) => {
      // The old subscription may belong to another owner or to an old VAPID key.
      await old?.unsubscribe();
      return pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey });
    });
    const result = await sendAction("device.add", formOf(subscription), { here: null });
    if (!result?.ok) {
      await subscription.unsubscribe();
      return result ?? { message: "Couldn’t turn on alerts. Sign in and try again." };
    }
  } catch {
    return { message: "The browser couldn’t reach its push service. Check your connection and try again." };
  }
  localStorage.setItem(alertsStorageKey, ownerId);
  return undefined;
}

/** Turns alerts off in this browser, and lets the page offer alerts again. */
async function turnAlertsOff(): Promise<void> {
  for (const key of [alertsStorageKey, declined]) localStorage.removeItem(key);
  const registration = await navigator.serviceWorker?.getRegistration();
  await (await registration?.pushManager.getSubscription())?.unsubscribe();
}

/** Reports once per tab and sign-in that this browser is still in use. */
export async function isStillSubscribed(ownerId: string): Promise<void> {
  if (sessionStorage.getItem(alertsStorageKey) !== ownerId) await checkIn(ownerId);
}

/**
 * Forgets that this tab reported the browser. Sign-in pages call this function, so that the next
 * session reports the browser again.
 */
export const forgetCheckIn = (): void => sessionStorage.removeItem(alertsStorageKey);

/**
 * Reports this browser with its current session. If the server no longer lists this browser, turns
 * alerts off here.
 */
export async function checkIn(ownerId: string): Promise<void> {
  if (alertsHere(ownerId) !== "on") return;
  const registration = await navigator.serviceWorker.ready;
  const subscription = await registration.pushManager.getSubscription();
  const known = subscription && (await sendAction("device.see", formOf(subscription), { here: null }));
  if (known === undefined || known?.ok === false) return;
  if (known?.value) sessionStorage.setItem(alertsStorageKey, ownerId);
  else await turnAlertsOff();
}

function formOf(subscription: PushSubscription) {
  const { endpoint = "", keys } = subscription.toJSON();
  return new URLSearchParams({ endpoint, ...keys });
}
