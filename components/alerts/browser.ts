"use client";
import { sendAction } from "@/components/actions/send";
import { alertsStorageKey } from "./storage-key";

/**
 * Whether this browser can show alerts: `install` where it could once the service is on the home screen (iOS), `blocked` where
 * the owner or the system said no, `off` where nobody has said yes.
 */
export type AlertsHere = "no" | "install" | "blocked" | "off" | "on";

/** That the owner does not want to be offered alerts. */
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

/** Why alerts are not on, in words for the owner. `signIn`: where to sign in again, when that is all that is missing. */
export type NotOn = { message: string; signIn?: string | undefined };

/**
 * Ask the owner's permission, subscribe, and tell the service. To be called for a press of a button.
 * @returns undefined when alerts are on
 */
export async function turnAlertsOn(ownerId: string, publicKey: string): Promise<NotOn | undefined> {
  const permission = await Notification.requestPermission();
  if (permission === "denied")
    return { message: "The browser does not allow it. Allow notifications for this site in its settings." };
  if (permission !== "granted") return { message: "The browser was not allowed to show notifications." };
  try {
    const { pushManager } = await navigator.serviceWorker.ready;
    const subscription = await pushManager.getSubscription().then(async (old) => {
      // From another owner, or for keys of the service that are no more.
      await old?.unsubscribe();
      return pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey });
    });
    const result = await sendAction("device.add", formOf(subscription), null);
    if (!result?.ok) {
      await subscription.unsubscribe();
      return result ?? { message: "Sign in again, and then turn them on once more." };
    }
  } catch {
    return { message: "The browser could not reach its push service. Check the connection and try again." };
  }
  localStorage.setItem(alertsStorageKey, ownerId);
  return undefined;
}

/** Show no more alerts here; they may be offered again. */
async function turnAlertsOff(): Promise<void> {
  for (const key of [alertsStorageKey, declined]) localStorage.removeItem(key);
  const registration = await navigator.serviceWorker?.getRegistration();
  await (await registration?.pushManager.getSubscription())?.unsubscribe();
}

/** Tell the service, once for each tab and each signing in, that this browser is still there. */
export async function isStillSubscribed(ownerId: string): Promise<void> {
  if (sessionStorage.getItem(alertsStorageKey) !== ownerId) await checkIn(ownerId);
}

/** At the door: whoever comes in next tells the service anew in which session this browser is. */
export const forgetCheckIn = (): void => sessionStorage.removeItem(alertsStorageKey);

/** Tell the service that this browser is there, in the session it now has. One that was removed elsewhere turns itself off. */
export async function checkIn(ownerId: string): Promise<void> {
  if (alertsHere(ownerId) !== "on") return;
  const registration = await navigator.serviceWorker.ready;
  const subscription = await registration.pushManager.getSubscription();
  const known = subscription && (await sendAction("device.see", formOf(subscription), null));
  if (known === undefined || known?.ok === false) return;
  if (known?.value) sessionStorage.setItem(alertsStorageKey, ownerId);
  else await turnAlertsOff();
}

function formOf(subscription: PushSubscription) {
  const { endpoint = "", keys } = subscription.toJSON();
  return new URLSearchParams({ endpoint, ...keys });
}
