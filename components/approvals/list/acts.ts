import { addressOf, type InboxActs } from "@/components/approvals/types";

/** Most characters of what is sent on even when its page is closed at that moment: browsers allow 64 KiB in all. */
const mostKept = 60_000;

/**
 * Have the service do something. `undefined` where nobody is signed in any more: then the page leads to where one does that.
 * @throws where it was not reached, or cannot say whether it was done
 */
async function post<T>(name: keyof InboxActs, form: FormData): Promise<T | undefined> {
  // Fields with a dollar are Next's own.
  const fields = [...form].flatMap(([name, value]) => (name.startsWith("$") ? [] : [[name, String(value)]]));
  const body = new URLSearchParams(fields).toString();
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  const reply = await fetch(`/approvals/acts/${name}`, {
    method: "POST",
    headers,
    body,
    keepalive: body.length < mostKept,
  });
  if (reply.status === 401) {
    // Back to the question itself: the page may have gone on to the next.
    const id = form.get("id");
    const here = typeof id === "string" ? addressOf(id) : window.location.pathname + window.location.search;
    window.location.assign(`/sign-in?next=${encodeURIComponent(here)}`);
    return undefined;
  }
  if (!reply.ok) throw new Error(`${name}: ${reply.status}`);
  return reply.json();
}

export const acts: InboxActs = {
  send: (form) => post("send", form),
  sendTogether: (form) => post("sendTogether", form),
  undo: (form) => post("undo", form),
  sendNow: (form) => post("sendNow", form),
  snooze: (form) => post("snooze", form),
  bringBack: (form) => post("bringBack", form),
  mute: (form) => post("mute", form),
  ask: (form) => post("ask", form),
};
