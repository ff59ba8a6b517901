import { z } from "zod";
import { operation } from "@/lib/api-operation";
import * as integrations from "./list-integrations";
import { Integration } from "./schema";

export const listIntegrations = operation({
  id: "listIntegrations",
  method: "GET",
  path: "/api/integrations",
  scope: null,
  summary: "List integrations",
  description:
    "List the linked accounts that the owner shares with this app, oldest first. The request requires no scope. Credentials are never included. The owner chooses the accounts on the consent page, and can change the selection later. The list is empty if the owner has no accounts or shares no accounts with this app.",
  input: z.strictObject({}),
  output: z.object({ data: z.array(Integration).describe("All shared accounts.") }).meta({ id: "IntegrationList" }),
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
