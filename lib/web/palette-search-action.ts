import { z } from "zod";
import { searchWaiting } from "@/lib/approvals/inbox-queries";
import { ownerAction } from "@/lib/form-action";
import { liveApps } from "@/lib/grants/connected-and-former-apps";
import { linkedAccounts } from "@/lib/integrations/accounts";

/**
 * Finds what the palette shows in addition to the current page: pending questions by their text,
 * and the owner's apps and linked accounts.
 */
export const find = ownerAction({
  name: "palette.find",
  input: z.object({ words: z.string().max(200).default("") }),
  run: async (owner, { words }) => {
    const [questions, apps, linked] = await Promise.all([
      searchWaiting(owner, words),
      liveApps(owner),
      linkedAccounts(owner),
    ]);
    const accounts = linked
      .filter(({ status }) => status !== "disconnected")
      // `label` is the owner's name for the account.
      .map(({ id, email, providerName, label = email }) => ({ id, label, email, provider: providerName }));
    return { questions, apps, accounts };
  },
});
