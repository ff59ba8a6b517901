import { leave, readDecision, refuse } from "@/app/decision";
import { sameOrigin } from "@/app/same-origin";
import { AppError } from "@/lib/errors";
import { decideConsent } from "@/lib/grants/consent";
import { currentOwner } from "@/lib/web/session";

/** The owner's decision, from the consent page's form. */
export async function POST(request: Request, { params }: { params: Promise<{ id: string }> }): Promise<Response> {
  try {
    if (!sameOrigin(request)) throw new AppError(403, "This was not sent from the consent page");
    const owner = await currentOwner();
    if (!owner) throw new AppError(401, "Your session has ended. Sign in again and reload the page");
    const { redirectTo } = await decideConsent(owner, (await params).id, readDecision(await request.formData()));
    return leave(request, redirectTo);
  } catch (error) {
    return refuse(request, error, { title: "Not decided", advice: "Go back to the app and start over." });
  }
}
