import { isEmailOffLink, switchEmailOff } from "@/lib/alerts/email-off";
import { env } from "@/lib/config/env";

const read = (request: Request) => {
  const { searchParams } = new URL(request.url);
  return { owner: searchParams.get("owner") ?? "", key: searchParams.get("key") ?? "" };
};
const to = (path: string) => new Response(null, { status: 303, headers: { location: `${env().publicUrl}${path}` } });

/** Opening the link decides nothing: mail scanners open links. It leads to the page that asks. */
export async function GET(request: Request): Promise<Response> {
  const { owner, key } = read(request);
  return to(
    (await isEmailOffLink(owner, key)) ? `/alerts/stopped?${new URLSearchParams({ owner, key })}` : "/alerts/stopped",
  );
}

/** The button on that page, or a mail program on its own (RFC 8058). The key in the address is all the right it needs. */
export async function POST(request: Request): Promise<Response> {
  const { owner, key } = read(request);
  const form = await request.formData().catch(() => new FormData());
  const done = await switchEmailOff(owner, key);
  if (form.get("List-Unsubscribe") === "One-Click") return new Response(null, { status: done ? 200 : 400 });
  return to(`/alerts/stopped${done ? "?done=1" : ""}`);
}
