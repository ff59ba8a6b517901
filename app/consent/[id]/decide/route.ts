import { decisionRefused, leave, readDecision } from "@/app/decision";
import { AppError } from "@/lib/errors";
import { decideConsent } from "@/lib/oauth/consent";
import { formOf } from "@/lib/web/read-form";
import { currentOwner } from "@/lib/web/session";

/**
 * The owner's decision, from the consent page's form. What takes a fresh sign-in leads to one, with the request still open,
 * and from there back to it.
 */
export async function POST(request: Request, { params }: { params: Promise<{ id: string }> }): Promise<Response> {
  const { id } = await params;
  try {
    const owner = await currentOwner();
    if (!owner) throw new AppError(401, "Your session has ended. Sign in again and reload the page");
    const { redirectTo } = await decideConsent(owner, id, readDecision(await formOf(request)));
    return leave(request, redirectTo);
  } catch (error) {
    const told = { title: "Not decided", advice: "Go back to the app and start over." };
    return decisionRefused(request, error, `/consent/${id}`, told);
  }
}
