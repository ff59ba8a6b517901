import { freezeByLink, isEmailFreezeLink } from "@/lib/alerts/email-freeze";
import { env } from "@/lib/config/env";
import { everyApp, freeze } from "@/lib/freeze/freeze";
import { currentOwner } from "@/lib/web/session";

const read = (request: Request) => {
  const { searchParams } = new URL(request.url);
  return { owner: searchParams.get("owner") ?? "", key: searchParams.get("key") };
};
const to = (path: string) => new Response(null, { status: 303, headers: { location: `${env().publicUrl}${path}` } });

/** Redirects to the page with the button. Changes nothing, because mail scanners also open links. */
export async function GET(request: Request): Promise<Response> {
  const { owner, key } = read(request);
  if (key === null) return to("/frozen");
  return to(
    (await isEmailFreezeLink(owner, key)) ? `/alerts/frozen?${new URLSearchParams({ owner, key })}` : "/alerts/frozen",
  );
}

/**
 * Handles the button on `/alerts/frozen`, whose only authorization is the key in the URL, and the
 * button of an alert. For an alert, the service worker sends the owner's session cookie.
 */
export async function POST(request: Request): Promise<Response> {
  const { owner: ownerId, key } = read(request);
  if (key !== null) return to(`/alerts/frozen${(await freezeByLink(ownerId, key)) ? "?done=1" : ""}`);
  const owner = await currentOwner();
  if (!owner) return new Response(null, { status: 401 });
  await freeze(owner, { appId: everyApp, by: "owner" });
  return new Response(null, { status: 204 });
}
