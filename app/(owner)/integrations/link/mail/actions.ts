"use server";
import { redirect } from "next/navigation";
import type { FormResult } from "@/components/ui/action-form";
import { linkMail } from "@/lib/integrations/mail";
import { asTyped, MailForm, sealTyped, typedIn } from "@/lib/integrations/mail-form";
import { ServersToConfirm } from "@/lib/integrations/mail-servers";
import { ownerAction } from "@/lib/web/owner-action";
import { requireOwner, signInAgainPath } from "@/lib/web/session";

/** What was typed goes back with a refusal, but for the password; servers that were found, to be looked at, with it. */
export async function link(_previous: FormResult | null, form: FormData): Promise<FormResult> {
  let typed = typedIn(form);
  const result = await ownerAction(MailForm, async (owner, input) => {
    const { id, again } = await linkMail(owner, input).catch((error) => {
      if (error instanceof ServersToConfirm) typed = { ...typed, ...asTyped(error.servers) };
      throw error;
    });
    redirect(`/integrations/${id}?linked=${again ? "again" : "new"}`);
  })(null, form);
  if (result.ok) return result;
  if (!result.signIn) return { ...result, typed };
  const back = `/integrations/link/mail?typed=${sealTyped(await requireOwner(), typed)}`;
  return { ...result, typed, signIn: await signInAgainPath(back) };
}
