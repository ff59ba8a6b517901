import { z } from "zod";
import { authenticate } from "@/lib/access/authorization";
import { Done, operation } from "@/lib/api-operation";
import { freeze } from "./freeze";

export const freezeSelf = operation({
  id: "freezeSelf",
  method: "POST",
  path: "/api/freeze",
  scope: null,
  summary: "Freeze this app",
  description:
    "Freeze this app's access to the owner, for example after the app notices that someone else controls it. From the next request on, every token of this app for this owner gets 403 with the reason `frozen`. Only the owner can end the freeze.",
  input: z.strictObject({}),
  body: z.strictObject({}).meta({ id: "FreezeRequest" }),
  output: Done,
  failures: [400, 413],
  run: async (app) => {
    const { ownerId, appId } = await authenticate(app);
    await freeze({ ownerId }, { appId, by: "app" });
    return { ok: true };
  },
  example: { body: {}, response: { ok: true } },
  tool: {
    name: "freeze_self",
    title: "Freeze this app",
    description:
      "Stop this app's access to the owner, for example after you notice that someone else controls the app. Every later call fails. Only the owner can undo this.",
    destructive: true,
  },
});
