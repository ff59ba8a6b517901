import { markSeen } from "@/lib/approvals/desk";
import { asAppError } from "@/lib/errors";
import { currentOwner } from "@/lib/web/session";

/** Which questions the owner has looked at. No server action: those wait for each other, and an answer waits for nothing. */
export async function POST(request: Request): Promise<Response> {
  try {
    const owner = await currentOwner();
    if (!owner) return new Response(null, { status: 401 });
    const form = await request.formData().catch(() => new FormData());
    const ids = form.getAll("ids").filter((id) => typeof id === "string");
    await markSeen(owner, ids.slice(0, 100), form.get("seen") === "yes");
    return new Response(null, { status: 204 });
  } catch (error) {
    if (asAppError(error)) return new Response(null, { status: 503 });
    throw error;
  }
}
