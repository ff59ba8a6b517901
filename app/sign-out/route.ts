import { localPath } from "@/lib/web/safe-redirect-path";
import { endSession } from "@/lib/web/session";

/** Ends this session. The status 303 keeps the browser from posting the form again. */
export async function POST(request: Request): Promise<Response> {
  const next = (await request.formData().catch(() => new FormData())).get("next");
  await endSession();
  const location = typeof next === "string" ? `/sign-in?next=${encodeURIComponent(localPath(next))}` : "/sign-in";
  return new Response(null, { status: 303, headers: { location } });
}
