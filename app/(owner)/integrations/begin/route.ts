import { z } from "zod";
import { errorResponse, interstitialRedirect, redirectTo } from "@/app/consent-handler";
import { AppError, SignInAgain } from "@/lib/errors";
import { providerById } from "@/lib/integrations/catalogue";
import { beginLink } from "@/lib/integrations/link";
import { accesses } from "@/lib/integrations/providers/access";
import { validate } from "@/lib/text/validate";
import { formOf, readForm } from "@/lib/web/read-form";
import { currentOwner, signInAgainPath } from "@/lib/web/session";
import { choicesPath } from "../link/choices";

/** `account`: the ID of the account to reconnect. */
const Choice = z.object({
  provider: z.string().max(30),
  access: z.array(z.enum(accesses)).default([]),
  account: z.string().max(100).optional(),
});

/**
 * Redirects to a provider with the selected permissions, to link an account or reconnect one. If a
 * sign-in is needed first, the owner returns to the form with the same selection.
 */
export async function POST(request: Request): Promise<Response> {
  try {
    const { provider, access, account } = validate(Choice, readForm(Choice, await formOf(request)));
    const here = choicesPath(provider, access, account);
    const owner = await currentOwner();
    if (!owner) return redirectTo(request, `/sign-in?next=${encodeURIComponent(here)}`);
    try {
      const asked = { provider, asked: access, ...(account !== undefined && { integrationId: account }) };
      const { location } = await beginLink(owner, asked);
      return interstitialRedirect(location, providerById(provider)?.name ?? "the provider");
    } catch (error) {
      if (error instanceof SignInAgain) return redirectTo(request, await signInAgainPath(here));
      const problem = error instanceof AppError ? problems[error.status] : undefined;
      if (!problem) throw error;
      return redirectTo(request, `${here}&problem=${problem}`);
    }
  } catch (error) {
    return errorResponse(request, error, {
      title: "Account not linked",
      advice: "Go back to Integrations and start over.",
    });
  }
}

/** Error codes for the page, which itself detects a provider that is not set up. */
const problems: Record<number, string> = { 409: "not_set_up", 429: "busy", 503: "provider" };
