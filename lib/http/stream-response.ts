import type { IncomingMessage, ServerResponse } from "node:http";
import type { OperationResponse } from "@/lib/api/call";
import { log } from "@/lib/log";
import { noteTaken, noteUnsent } from "@/lib/net/unsent-replies";

/** Write a reply that is a stream, no faster than it is read. It ends with the stream, or when the caller leaves. */
export async function streamResponse(
  req: IncomingMessage,
  res: ServerResponse,
  { status, headers }: Pick<OperationResponse, "status" | "headers">,
  stream: AsyncIterable<string | Uint8Array>,
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

/** Longest text that is written as one, in characters. */
export const chunkBytes = 64 * 1024;

/**
 * Write long text piece by piece, no faster than it is taken. The pieces are parts of the text, so that it needs no second copy while
 * it waits for its reader.
 */
export async function writeInChunks(res: ServerResponse, text: string, encoding: "latin1" | "utf8"): Promise<void> {
  for (let at = 0; at < text.length && !res.destroyed; ) {
    const end = pieceEnd(text, at);
    const isTaken = res.write(text.slice(at, end), encoding);
    at = end;
    if (isTaken) continue;
    // Text that is not Latin-1 takes two bytes a character in memory.
    noteUnsent(res, text, encoding === "latin1" ? text.length : 2 * text.length);
    await taken(res);
    noteTaken(res);
  }
  res.end();
}

/** Not between the two halves of a character. */
function pieceEnd(text: string, at: number): number {
  const end = Math.min(text.length, at + chunkBytes);
  const last = text.charCodeAt(end - 1);
  return last >= 0xd800 && last < 0xdc00 && end < text.length ? end + 1 : end;
}

/** Until what was written is taken, or the reader has left. Who does neither is let go by the rule of turns.ts. */
const taken = (res: ServerResponse) =>
  new Promise<void>((resolve) => {
    const done = () => {
      res.off("drain", done).off("close", done);
      resolve();
    };
    res.once("drain", done).once("close", done);
  });
