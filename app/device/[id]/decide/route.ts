import { handleConsentForm } from "@/app/consent-handler";
import { decideDevice } from "@/lib/oauth/device";

/** The owner's decision about a device. The page it was made on says what became of it. */
export async function POST(request: Request, { params }: { params: Promise<{ id: string }> }): Promise<Response> {
  const { id } = await params;
  const here = `/device/${id}`;
  return handleConsentForm(request, here, "Start over on your device.", async (owner, decision) => {
    await decideDevice(owner, id, decision);
    return here;
  });
}
