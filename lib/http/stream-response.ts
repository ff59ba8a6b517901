import type { IncomingMessage, ServerResponse } from "node:http";
import type { OperationResponse } from "@/lib/api/operation-request";
import { log } from "@/lib/log";
import { noteTaken, noteUnsent } from "@/lib/net/unsent-response-limit";

/**
 * Writes a stream as the response, no faster than the client reads. Ends with the stream, or when
 * the client disconnects.
 */
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
    if (!res.destroyed) log.info("a stream ended early", { reason: String(error) });
    res.destroy();
  }
}

/** Maximum characters written in one piece. */
export const chunkBytes = 64 * 1024;

/**
 * Writes long text in pieces, no faster than the client reads. The pieces are slices, so that
 * memory holds the text only once.
 */
export async function writeInChunks(res: ServerResponse, text: string, encoding: "latin1" | "utf8"): Promise<void> {
  for (let index = 0; index < text.length && !res.destroyed; ) {
    const end = pieceEnd(text, index);
    const isTaken = res.write(text.slice(index, end), encoding);
    index = end;
    if (isTaken) continue;
    // In memory, text beyond Latin-1 takes two bytes per character.
    noteUnsent(res, text, encoding === "latin1" ? text.length : 2 * text.length);
    await taken(res);
    noteTaken(res);
  }
  res.end();
}

/** Returns the end of the piece that begins at `index`. It never splits a surrogate pair. */
function pieceEnd(text: string, index: number): number {
  const end = Math.min(text.length, index + chunkBytes);
  const last = text.charCodeAt(end - 1);
  return last >= 0xd800 && last < 0xdc00 && end < text.length ? end + 1 : end;
}

/**
 * Resolves when the client has read what was written, or has disconnected. pipelining.ts
 * disconnects clients that do neither.
 */
const taken = (res: ServerResponse) =>
  new Promise<void>((resolve) => {
    const done = () => {
      res.off("drain", done).off("close", done);
      resolve();
    };
    res.once("drain", done).once("close", done);
  });
