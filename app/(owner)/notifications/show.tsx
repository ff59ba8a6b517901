import { Background } from "@/components/approvals/decision/background";
import type { FeedNotification } from "@/components/notifications/types";
import type { FeedItem } from "@/lib/notifications/schema";

/** How many characters of text travel with a list: what is further down opens at its own address. */
const room = 60_000;
const lineLength = 160;

/** Notifications with their texts rendered: the open one's in any case, the others' while there is room. */
export function show(items: FeedItem[], open?: string): FeedNotification[] {
  let left = room;
  return items.map(({ body, format, ...item }) => {
    if (body.trim() === "") return { ...item, whole: true };
    left -= body.length;
    const firstLine = lineOf(body, format);
    if (left < 0 && item.id !== open) return { ...item, firstLine, whole: false };
    return { ...item, firstLine, whole: true, text: format === "markdown" ? <Background text={body} /> : plain(body) };
  });
}

const plain = (body: string) => (
  <p dir="auto" className="whitespace-pre-line">
    {body}
  </p>
);

/** The first line that has words, without what makes it Markdown. */
function lineOf(body: string, format: FeedItem["format"]): string {
  const whole = body.split("\n").find((each) => /[\p{L}\p{N}]/u.test(each)) ?? body;
  // Looking for links takes the square of what is looked through.
  const line = whole.slice(0, 4 * lineLength);
  const bare =
    format === "markdown" ? line.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1").replace(/^\s*[#>*+-]+\s+|[*`_]+/g, "") : line;
  return [...bare.trim()].slice(0, lineLength).join("");
}
