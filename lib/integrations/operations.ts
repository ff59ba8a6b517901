import { z } from "zod";
import { operation } from "@/lib/operation";
import * as integrations from "./integrations";
import { Integration } from "./schema";

export const listIntegrations = operation({
  id: "listIntegrations",
  method: "GET",
  path: "/api/integrations",
  scope: null,
  summary: "List integrations",
  description:
    "The linked accounts that the owner shares with this app, oldest first. Any valid token works. Token material is never included. The owner chooses on the consent screen, and later, which accounts an app sees: an empty list may mean that they have none or share none.",
  input: z.strictObject({}),
  output: z.object({ data: z.array(Integration).describe("All of them.") }).meta({ id: "IntegrationList" }),
  failures: [400],
  run: integrations.listIntegrations,
  example: {
    response: {
      data: [
        {
          id: "int_0m3cq8v5k2h7t1n9b6d4g0rjpf8s2l7e",
          provider: "google",
          status: "connected",
          email: "ada@example.com",
          buckets: ["calendar", "identity", "mail"],
        },
      ],
    },
  },
});
