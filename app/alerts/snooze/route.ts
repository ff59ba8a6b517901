import { snoozeApprovals } from "@/lib/approvals/desk";
import { asAppError } from "@/lib/errors";
import { readSettings } from "@/lib/owners/settings";
import { currentOwner } from "@/lib/web/session";
import { sameOrigin } from "../../same-origin";

/** "Snooze 1 h" on an alert: our service worker asks for it with the session of the browser that it is in. */
export async function POST(request: Request): Promise<Response> {
  if (!sameOrigin(request)) return new Response(null, { status: 403 });
  const owner = await currentOwner();
  if (!owner) return new Response(null, { status: 401 });
  const id = (await request.formData()).get("id");
  const { timeZone } = await readSettings(owner);
  try {
    await snoozeApprovals(owner, [String(id)], { choice: "hour", timeZone });
    return new Response(null, { status: 204 });
  } catch (error) {
    const known = asAppError(error);
    if (!known) throw error;
    return new Response(null, { status: known.status });
  }
}
