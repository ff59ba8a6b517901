import { isEmailOffLink, switchEmailOff } from "@/lib/alerts/email-unsubscribe";
import { env } from "@/lib/config/env";

const read = (request: Request) => {
  const { searchParams } = new URL(request.url);
  return { owner: searchParams.get("owner") ?? "", key: searchParams.get("key") ?? "" };
};
const to = (path: string) => new Response(null, { status: 303, headers: { location: `${env().publicUrl}${path}` } });

/**
 * Redirects to the page with the button. Changes nothing, because mail scanners also open links.
 */
export async function GET(request: Request): Promise<Response> {
  const { owner, key } = read(request);
  return to(
    (await isEmailOffLink(owner, key)) ? `/alerts/stopped?${new URLSearchParams({ owner, key })}` : "/alerts/stopped",
  );
}

/**
 * Handles the button on `/alerts/stopped`, and one-click unsubscribe (RFC 8058). The only
 * authorization is the key in the URL.
 */
export async function POST(request: Request): Promise<Response> {
  const { owner, key } = read(request);
  const form = await request.formData().catch(() => new FormData());
  const done = await switchEmailOff(owner, key);
  if (form.get("List-Unsubscribe") === "One-Click") return new Response(null, { status: done ? 200 : 400 });
  return to(`/alerts/stopped${done ? "?done=1" : ""}`);
}
