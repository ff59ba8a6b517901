import { isEmailOffLink, switchEmailOff } from "@/lib/alerts/email-unsubscribe";
import { env } from "@/lib/config/env";

const read = (request: Request) => {
  const { searchParams } = new URL(request.url);
  return { owner: searchParams.get("owner") ?? "", key: searchParams.get("key") ?? "" };
};
const to = (path: string) => new Response(null, { status: 303, headers: { location: `${env().publicUrl}${path}` } });

/**
 * Redirects to the page with the button. Opening the link changes nothing else, because mail
 * scanners also open links.
 */
export async function GET(request: Request): Promise<Response> {
  const { owner, key } = read(request);
  return to(
    (await isEmailOffLink(owner, key)) ? `/alerts/stopped?${new URLSearchParams({ owner, key })}` : "/alerts/stopped",
  );
}

/**
 * Handles the button on `/alerts/stopped`, and one-click unsubscribe (RFC 8058). The key in the URL
 * is the only authorization.
 */
export async function POST(request: Request): Promise<Response> {
  const { owner, key } = read(request);
  const form = await request.formData().catch(() => new FormData());
  const done = await switchEmailOff(owner, key);
  if (form.get("List-Unsubscribe") === "One-Click") return new Response(null, { status: done ? 200 : 400 });
  return to(`/alerts/stopped${done ? "?done=1" : ""}`);
}
