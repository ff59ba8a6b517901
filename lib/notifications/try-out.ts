import type { OwnerActor } from "@/lib/actor";
import { asOwnApp } from "@/lib/grants/own-app";
import { pushNotification } from "./notifications";

/** Send the owner a notification as an app would. */
export const sendTestNotification = (owner: OwnerActor): Promise<{ id: string }> =>
  asOwnApp(owner, "notifications:write", (app) =>
    pushNotification(app, {
      title: "A test notification",
      body: "You sent this to yourself from the Developer page. It asks nothing of you.",
      type: "test",
    }),
  );
