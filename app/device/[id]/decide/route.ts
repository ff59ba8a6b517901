import { handleConsentForm } from "@/app/consent-handler";
import { decideDevice } from "@/lib/oauth/device";

/** Handles a device's consent form. The form's page then shows the outcome. */
export async function POST(request: Request, { params }: { params: Promise<{ id: string }> }): Promise<Response> {
  const { id } = await params;
  const here = `/device/${id}`;
  return handleConsentForm(request, here, "Start over on your device.", async (owner, decision) => {
    await decideDevice(owner, id, decision);
    return here;
  });
}
