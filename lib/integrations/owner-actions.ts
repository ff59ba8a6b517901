import { z } from "zod";
import { actionById, ById, ownerAction, type SentFields } from "@/lib/form-action";
import { testNow } from "./account-check-worker";
import { linkedAccount } from "./accounts";
import { disconnect, undoDisconnect } from "./disconnect-account";
import { beginLink } from "./link-account";
import { choicesPath } from "./link-form-query";
import { linkMail } from "./link-mail-account";
import { ServersToConfirm } from "./mail/find-servers";
import { MailForm, parseMailForm, sealFormValues, toFormFields } from "./mail/mail-form";
import { providerById } from "./provider-catalog";
import { accesses } from "./providers/access-types";
import { AccountLabel, renameAccount } from "./rename-account";

export const test = ownerAction({
  name: "integration.test",
  input: ById,
  run: async (owner, { id }) => {
    // The time of the previous check, because the page waits for a later one.
    const { checkedAt } = await linkedAccount(owner, id);
    return { ...(await testNow(owner, id)), ...(checkedAt !== undefined && { checkedAt }) };
  },
  flash: (tested) => tested,
});

export const rename = ownerAction({
  name: "integration.rename",
  input: ById.extend({ label: AccountLabel.default("") }),
  run: (owner, { id, label }) => renameAccount(owner, id, label),
});

export const remove = actionById("integration.disconnect", disconnect);
export const undo = actionById("integration.undo-disconnect", undoDisconnect);

/**
 * After an error, the form keeps its values except the password, and shows the servers that the
 * owner has to confirm.
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

/** The errors that the provider's page shows, by status. */
const problems: Record<number, string> = { 409: "not_set_up", 429: "busy", 503: "provider" };

/**
 * Sends the owner to a provider with the selected permissions, to link an account, or to reconnect
 * `account`. After a sign-in or an error, the owner returns to the form with the same selection.
 */
export const beginLinkAction = ownerAction({
  name: "integration.begin-link",
  input: z.object({
    provider: z.string().max(30),
    access: z.array(z.enum(accesses)).default([]),
    account: z.string().max(100).optional(),
  }),
  run: async (owner, { provider, access, account }) => ({
    ...(await beginLink(owner, { provider, asked: access, ...(account !== undefined && { integrationId: account }) })),
    to: providerById(provider)?.name ?? "the provider",
  }),
  next: (_, { location }) => location,
  continuesAt: ({ to }) => to,
  page: choicesOf,
  errorPage: (fields, { status }) => problems[status] && `${choicesOf(fields)}&problem=${problems[status]}`,
  failure: { title: "Couldn’t link the account", advice: "Go back to Integrations, then start over." },
});

function choicesOf({ provider, access = [], account }: SentFields): string {
  return choicesPath(String(provider), [access].flat(), account === undefined ? undefined : String(account));
}
