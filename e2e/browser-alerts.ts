import type { Page } from "@playwright/test";
import type { aPushService } from "@/lib/testing/fake-push-service";
import { serviceUrl } from "./fixtures";

type Browser = ReturnType<Awaited<ReturnType<typeof aPushService>>["browser"]>;

/**
 * A browser with a fake push subscription. Permission prompts are counted
 * (`window.askedPermission`) and granted.
 */
export async function canSubscribe(page: Page, { subscription }: Browser): Promise<void> {
  await page.context().grantPermissions(["notifications"], { origin: serviceUrl() });
  await page.addInitScript(({ endpoint, p256dh, auth }) => {
    const remembered = "test.subscribed";
    const is = (name: string) => localStorage.getItem(name) !== null;
    const subscribed = {
      endpoint,
      toJSON: () => ({ endpoint, keys: { p256dh, auth } }),
      unsubscribe: async () => {
        localStorage.removeItem(remembered);
        return true;
      },
    };
    Object.defineProperty(Notification, "permission", { get: () => (is("test.allowed") ? "granted" : "default") });
    Notification.requestPermission = async () => {
      localStorage.setItem("test.allowed", "1");
      const window_ = window as typeof window & { askedPermission?: number };
      window_.askedPermission = (window_.askedPermission ?? 0) + 1;
      return "granted";
    };
    Object.assign(PushManager.prototype, {
      getSubscription: async () => (is(remembered) ? subscribed : null),
      subscribe: async (options: PushSubscriptionOptionsInit) => {
        if (!options.userVisibleOnly || !options.applicationServerKey) throw new TypeError("no key");
        localStorage.setItem(remembered, "1");
        return subscribed;
      },
    });
  }, subscription);
}

/** The page's active service worker. */
export const worker = (page: Page) =>
  page.waitForFunction(async () => (await navigator.serviceWorker.ready).active?.state === "activated");

/**
 * Delivers a push message to the service worker. It omits the badge number, because headless
 * Chromium kills a worker that sets a badge.
 */
export async function deliver(page: Page, { app_badge: _, ...message }: Record<string, unknown>): Promise<void> {
  const origin = serviceUrl();
  const devtools = await page.context().newCDPSession(page);
  const registered = new Promise<string>((resolve) =>
    devtools.on("ServiceWorker.workerRegistrationUpdated", ({ registrations }) => {
      const [one] = registrations.filter(({ isDeleted }) => !isDeleted);
      if (one) resolve(one.registrationId);
    }),
  );
  await devtools.send("ServiceWorker.enable");
  const registrationId = await registered;
  await devtools.send("ServiceWorker.deliverPushMessage", { origin, registrationId, data: JSON.stringify(message) });
  await devtools.detach();
}

/** The notifications that the browser shows. */
export const shownAlerts = (page: Page) =>
  page.evaluate(async () => {
    const registration = await navigator.serviceWorker.ready;
    // TypeScript's types lack notification actions.
    type ShownNotification = Notification & { actions: { action: string }[] };
    return ((await registration.getNotifications()) as ShownNotification[]).map(({ title, body, tag, actions }) => ({
      title,
      body,
      tag,
      actions: actions.map(({ action }) => action),
    }));
  });
