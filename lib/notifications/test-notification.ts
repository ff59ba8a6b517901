import type { OwnerActor } from "@/lib/actor";
import { asServiceApp } from "@/lib/grants/as-service-app";
import { pushNotification } from "./notifications";

/** Sends the owner a test notification, as an app would. */
export const sendTestNotification = (owner: OwnerActor): Promise<{ id: string }> =>
  asServiceApp(owner, "notifications:write", (app) =>
    pushNotification(app, {
      title: "Test notification",
      body: "You sent yourself this notification as a test. It needs no answer.",
      type: "test",
    }),
  );
