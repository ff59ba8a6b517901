import { z } from "zod";
import { operation } from "@/lib/api-operation";
import { pageParams, pageSchema } from "@/lib/requests/pagination";
import { readInboxHints } from "./notification-display-hints";
import * as notifications from "./notifications";
import { NewNotification, Notification, NotificationType } from "./schema";

const exampleBody = {
  title: "Build 418 is live",
  body: "It took 4 minutes.",
  type: "deploys",
  data: { inbox: { url: "https://deploy.example/builds/418", priority: "low" } },
};
const exampleId = "ntf_0m3cq8v5k2h7t1n9b6d4g0rjpf8s2l7e";
const kept = { _id: exampleId, _creationTime: 1795000000000, ...exampleBody, createdAt: 1795000000000 };

export const pushNotification = operation({
  id: "pushNotification",
  method: "POST",
  path: "/api/notifications",
  scope: "notifications:write",
  summary: "Push a notification",
  description: "Notify the owner. The notification appears in the owner's feed and needs no answer.",
  input: NewNotification,
  output: z.object({ id: z.string().describe("The ID of the notification.") }).meta({ id: "PushedNotification" }),
  status: 201,
  failures: [400, 413, 422],
  idempotent: true,
  warnings: ({ data }) =>
    data === undefined
      ? []
      : readInboxHints(data)
          .ignored.slice(0, 20)
          .map((it) => `data.${it}`),
  run: notifications.pushNotification,
  example: { body: exampleBody, response: { id: exampleId } },
  tool: {
    name: "notify_owner",
    title: "Notify the owner",
    description:
      "Send a notification to the person you act for. Use this tool for news that needs no answer, such as the outcome of an approved action.",
  },
});

export const listNotifications = operation({
  id: "listNotifications",
  method: "GET",
  path: "/api/notifications",
  scope: "notifications:read",
  summary: "List notifications",
  description: "List the notifications that this app pushed, newest first.",
  input: z.strictObject({
    type: NotificationType.optional().describe(
      "Returns only notifications of this type. By default, returns all notifications.",
    ),
    ...pageParams,
  }),
  output: pageSchema(Notification, "NotificationPage"),
  failures: [400],
  run: notifications.listNotifications,
  example: { query: { type: "deploys" }, response: { data: [kept] } },
});

export const getNotification = operation({
  id: "getNotification",
  method: "GET",
  path: "/api/notifications/{id}",
  scope: "notifications:read",
  summary: "Get a notification",
  description: "Get one notification that this app pushed.",
  input: z.strictObject({ id: z.string().describe("The ID of the notification.") }),
  output: Notification,
  failures: [400, 404],
  run: (app, { id }) => notifications.getNotification(app, id),
  example: { response: kept },
});
