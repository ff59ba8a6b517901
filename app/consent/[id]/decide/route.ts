import { handleConsentForm } from "@/app/consent-handler";
import { decideConsent } from "@/lib/oauth/consent";

/** Handles the consent form. */
export async function POST(request: Request, { params }: { params: Promise<{ id: string }> }): Promise<Response> {
  const { id } = await params;
  return handleConsentForm(request, `/consent/${id}`, "Go back to the app and start over.", async (owner, decision) => {
    const { redirectTo } = await decideConsent(owner, id, decision);
    return redirectTo;
  });
}
