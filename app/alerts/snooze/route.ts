import { snoozeApprovals } from "@/lib/approvals/triage";
import { asAppError } from "@/lib/errors";
import { readSettings } from "@/lib/owners/settings";
import { formOf } from "@/lib/web/read-form";
import { currentOwner } from "@/lib/web/session";

/**
 * Handles the button "Snooze 1 h" of an alert. The service worker sends the request with the
 * browser's session.
 */
export async function POST(request: Request): Promise<Response> {
  const owner = await currentOwner();
  if (!owner) return new Response(null, { status: 401 });
  try {
    const id = (await formOf(request)).get("id");
    const { timeZone } = await readSettings(owner);
    await snoozeApprovals(owner, [String(id)], { choice: "hour", timeZone });
    return new Response(null, { status: 204 });
  } catch (error) {
    const known = asAppError(error);
    if (!known) throw error;
    return new Response(null, { status: known.status });
  }
}
