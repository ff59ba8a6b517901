import type { IncomingMessage, ServerResponse } from "node:http";
import type { Reply } from "@/lib/api/call";
import { log } from "@/lib/log";

/** A reader that takes nothing for so long is let go, in milliseconds. */
const patience = 60_000;

/** Write a reply that is a stream, no faster than it is read. It ends with the stream, or when the caller leaves. */
export async function pour(
  req: IncomingMessage,
  res: ServerResponse,
  { status, headers }: Reply,
  stream: AsyncGenerator<string>,
): Promise<void> {
  res.writeHead(status, headers);
  try {
    if (req.method !== "HEAD") {
      for await (const piece of stream) {
        if (res.destroyed) break;
        if (!res.write(piece)) await taken(res);
      }
    }
    res.end();
  } catch (error) {
    if (!res.destroyed) log.info("a stream was ended", { reason: String(error) });
    res.destroy();
  }
}

/** Until what was written is taken, or the reader has left. @throws when it does neither for too long */
const taken = (res: ServerResponse) =>
  new Promise<void>((resolve, reject) => {
    const late = setTimeout(() => reject(new Error("the reader takes nothing")), patience);
    const done = () => {
      clearTimeout(late);
      res.off("drain", done).off("close", done);
      resolve();
    };
    res.once("drain", done).once("close", done);
  });
