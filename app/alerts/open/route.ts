import { openAlerts } from "@/lib/alerts/withdraw-alerts";
import { currentOwner } from "@/lib/web/session";

/** Returns which of a browser's alerts are still open. The service worker removes the others. */
export async function GET(request: Request): Promise<Response> {
  const owner = await currentOwner();
  if (!owner) return new Response(null, { status: 401 });
  const tags = new URL(request.url).searchParams.getAll("tag").slice(0, 100);
  return Response.json({ open: await openAlerts(owner, tags) }, { headers: { "cache-control": "no-store" } });
}
