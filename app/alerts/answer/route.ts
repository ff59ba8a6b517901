import { answerFromAlert, choiceIn } from "@/lib/alerts/one-tap-answer";
import { formOf } from "@/lib/web/read-form";

/**
 * Answers from an alert. The service worker sends the alert's ticket, which is the only
 * authorization. Answers therefore work after the session ends. Status 409 means that the owner has
 * to open the question.
 */
export async function POST(request: Request): Promise<Response> {
  const form = await formOf(request).catch(() => new FormData());
  const outcome = await answerFromAlert(String(form.get("ticket")), choiceIn(form.get("choice")));
  return Response.json(outcome ?? null, { status: outcome ? 200 : 409, headers: { "cache-control": "no-store" } });
}
