import { answerFromAlert, choiceIn } from "@/lib/alerts/one-tap";
import { formOf } from "@/lib/web/read-form";

/**
 * An answer on an alert: our service worker passes on the ticket that came with it, which is all the right it needs, so that it
 * counts also where the session is over. 409: the question has to be opened.
 */
export async function POST(request: Request): Promise<Response> {
  const form = await formOf(request).catch(() => new FormData());
  const outcome = await answerFromAlert(String(form.get("ticket")), choiceIn(form.get("choice")));
  return Response.json(outcome ?? null, { status: outcome ? 200 : 409, headers: { "cache-control": "no-store" } });
}
