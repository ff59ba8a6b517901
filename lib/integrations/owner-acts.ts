import { z } from "zod";
import { ownerAction } from "@/lib/owner-action";
import { linkedAccount } from "./accounts";
import { disconnect, undoDisconnect } from "./disconnect";
import { testNow } from "./keep-alive";
import { linkMail } from "./link-mail";
import { MailForm, parseMailForm, sealFormValues, toFormFields } from "./mail/form";
import { ServersToConfirm } from "./mail/servers";
import { AccountLabel, renameAccount } from "./rename";

const One = z.object({ id: z.string().max(100) });

export const test = ownerAction({
  name: "integration.test",
  input: One,
  run: async (owner, { id }) => {
    // The previous state; the page waits for a newer one.
    const { checkedAt } = await linkedAccount(owner, id);
    return { ...(await testNow(owner, id)), ...(checkedAt !== undefined && { checkedAt }) };
  },
  flash: (tested) => tested,
});

export const rename = ownerAction({
  name: "integration.rename",
  input: One.extend({ label: AccountLabel.default("") }),
  run: (owner, { id, label }) => renameAccount(owner, id, label),
});

export const remove = ownerAction({
  name: "integration.disconnect",
  input: One,
  run: (owner, { id }) => disconnect(owner, id),
});

export const undo = ownerAction({
  name: "integration.undo-disconnect",
  input: One,
  run: (owner, { id }) => undoDisconnect(owner, id),
});

/**
 * After an error the form keeps its values, without the password, and shows discovered servers for
 * confirmation.
 */
export const linkMailAccount = ownerAction({
  name: "integration.link-mail",
  input: MailForm,
  fresh: true,
  run: (owner, form) => linkMail(owner, form),
  next: (_, { id, again }) => `/integrations/${id}?linked=${again ? "again" : "new"}`,
  restoreForm: (owner, form, why) => {
    const typed = { ...parseMailForm(form), ...(why instanceof ServersToConfirm && toFormFields(why.servers)) };
    return { typed, page: `/integrations/link/mail?typed=${sealFormValues(owner, typed)}` };
  },
});
