"use server";
import { z } from "zod";
import { letSee } from "@/lib/grants/share";
import { linkedAccount } from "@/lib/integrations/accounts";
import { disconnect, undoDisconnect } from "@/lib/integrations/disconnect";
import { testNow } from "@/lib/integrations/keep-alive";
import { AccountLabel, renameAccount } from "@/lib/integrations/rename";
import { ownerAction } from "@/lib/web/owner-action";
import { thenRefresh } from "../then-refresh";

const id = z.string().max(100);
const OneAccount = z.object({ id });
const Named = OneAccount.extend({ label: AccountLabel.default("") });
const Seen = OneAccount.extend({
  clientId: z.string().max(100),
  on: z.enum(["yes", "no"]).transform((value) => value === "yes"),
});

export const test = ownerAction(
  OneAccount,
  thenRefresh(async (owner, { id }) => {
    // What was known before: once the page shows something newer, the answer is there.
    const { checkedAt } = await linkedAccount(owner, id);
    return { ...(await testNow(owner, id)), ...(checkedAt !== undefined && { checkedAt }) };
  }),
);
export const rename = ownerAction(
  Named,
  thenRefresh((owner, { id, label }) => renameAccount(owner, id, label)),
);
export const letAppSee = ownerAction(
  Seen,
  thenRefresh((owner, { clientId, id, on }) => letSee(owner, clientId, id, on)),
);
export const remove = ownerAction(
  OneAccount,
  thenRefresh((owner, { id }) => disconnect(owner, id)),
);
export const undo = ownerAction(
  OneAccount,
  thenRefresh((owner, { id }) => undoDisconnect(owner, id)),
);
