import { now } from "./timed-click";

/**
 * An app's event stream from one instance. It reports each answer's arrival in epoch milliseconds.
 */
export async function listen(at: string, token: string) {
  const left = new AbortController();
  const headers = { authorization: `Bearer ${token}`, accept: "text/event-stream" };
  const reply = await fetch(`${at}/api/events`, { headers, signal: left.signal });
  const waiting = new Map<string, (at: number) => void>();
  void (async () => {
    let text = "";
    for await (const piece of reply.body as unknown as AsyncIterable<Uint8Array>) {
      text += Buffer.from(piece).toString();
      const blocks = text.split("\n\n");
      text = blocks.pop() ?? "";
      for (const block of blocks.filter((each) => each.includes("event: approval.resolved")))
        for (const [id, heard] of waiting) if (block.includes(id)) heard(now());
    }
  })().catch(() => {});
  return {
    hear: (id: string) => new Promise<number>((resolve) => waiting.set(id, resolve)),
    close: () => left.abort(),
  };
}
