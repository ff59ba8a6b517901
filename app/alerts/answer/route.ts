import { answerFromAlert, choiceIn } from "@/lib/alerts/one-tap-answer";
import { formOf } from "@/lib/web/read-form";

/**
 * Answers from an alert. The only authorization is the alert's ticket, which the service worker
 * sends, so answers work even after the session has ended. Status 409 means that the owner has to
 * open the question.
 */
export async function POST(request: Request): Promise<Response> {
  const form = await formOf(request).catch(() => new FormData());
  const outcome = await answerFromAlert(String(form.get("ticket")), choiceIn(form.get("choice")));
  return Response.json(outcome ?? null, { status: outcome ? 200 : 409, headers: { "cache-control": "no-store" } });
}
