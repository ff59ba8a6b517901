import { errorResponse, redirectTo } from "@/app/consent-handler";
import { answerByLink, answerLinkPath, undoByLink } from "@/lib/alerts/answer-link";
import { formOf } from "@/lib/web/read-form";
import { signInPath } from "../../sign-in";

type Context = { params: Promise<{ id: string }> };

/**
 * Handles the buttons on the page of an email's link. The form's token is the only authorization;
 * the session is ignored.
 */
export async function POST(request: Request, { params }: Context): Promise<Response> {
  try {
    const { id } = await params;
    const form = await formOf(request);
    const field = (name: string) => String(form.get(name) ?? "");
    const link = { id, token: field("token") };
    const holder = {
      address: request.headers.get("x-countersign-address") ?? "",
      userAgent: request.headers.get("user-agent") ?? "",
    };
    const undoes = form.has("undo");
    const became = undoes
      ? await undoByLink(link, holder)
      : await answerByLink({ ...link, optionId: field("optionId"), seen: field("seen") }, holder);
    if (became === "gone") return redirectTo(request, signInPath(id, undoes ? "link" : "choice"));
    return redirectTo(request, `${answerLinkPath(id, link.token)}${became === "answered" ? "" : `&said=${became}`}`);
  } catch (error) {
    return errorResponse(request, error, {
      title: "No changes were made",
      advice: "Open the link in the email again.",
    });
  }
}
