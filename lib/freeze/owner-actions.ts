import { z } from "zod";
import { ownerAction } from "@/lib/form-action";
import { everyApp, freeze, unfreeze } from "./freeze";

/** An app's client ID; empty or absent for all apps. */
const Frozen = z.object({ clientId: z.string().max(100).default(everyApp) });

/** Freezes immediately and without a question, because the owner can undo it. */
export const freezeApps = ownerAction({
  name: "freeze.begin",
  input: Frozen,
  run: (owner, { clientId }) => freeze(owner, { appId: clientId, by: "owner" }),
  next: () => "/frozen",
});

export const unfreezeApps = ownerAction({
  name: "freeze.end",
  input: Frozen,
  fresh: true,
  run: (owner, { clientId }) => unfreeze(owner, clientId),
  next: () => "/frozen",
});
