import type { IncomingMessage, ServerResponse } from "node:http";
import type { OperationReply } from "@/lib/api/call";
import { log } from "@/lib/log";

/** Write a reply that is a stream, no faster than it is read. It ends with the stream, or when the caller leaves. */
export async function pour(
  req: IncomingMessage,
  res: ServerResponse,
  { status, headers }: Pick<OperationReply, "status" | "headers">,
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

/** Longest text that is written as one, in bytes. */
export const piece = 64 * 1024;

/** Write long text so that what was taken of it needs no memory any more. */
export function writeLong(res: ServerResponse, text: string, encoding: "latin1" | "utf8"): Promise<void> {
  const bytes = Buffer.from(text, encoding);
  // Copies: a part of a buffer keeps the whole.
  const pieces = Array.from({ length: Math.ceil(bytes.length / piece) }, (_, at) =>
    Buffer.from(bytes.subarray(at * piece, (at + 1) * piece)),
  );
  return writeAll(res, pieces);
}

/** Apart, since what a function was given it keeps while it waits. */
async function writeAll(res: ServerResponse, pieces: Buffer[]) {
  for (let next = pieces.shift(); next && !res.destroyed; next = pieces.shift()) {
    if (res.write(next)) continue;
    keep(res, pieces.length * piece);
    await taken(res);
    kept.delete(res);
  }
  res.end();
}

/** Most bytes of long replies that wait to be taken, on all connections together; and where even who is quick is too many. */
const [mostKept, mostEver] = [16 * 1024 * 1024, 128 * 1024 * 1024];
/** Who takes nothing for so long is slow. Before that, replies that were ready at once only wait for each other (milliseconds). */
export const slowReader = { after: 1000 };
/** What each of them still has, those in front that have taken nothing for longest. */
const kept = new Map<ServerResponse, { bytes: number; since: number }>();
let looking: NodeJS.Timeout | undefined;

function keep(res: ServerResponse, bytes: number) {
  kept.set(res, { bytes, since: performance.now() });
  letGo();
}

/** Beyond the most, who has taken nothing for longest is let go, so that many who do not read cost no more than one. */
function letGo() {
  clearTimeout(looking);
  let all = 0;
  for (const { bytes } of kept.values()) all += bytes;
  for (const [idle, { bytes, since }] of kept) {
    if (all <= mostKept || kept.size === 1) return;
    const left = since + slowReader.after - performance.now();
    if (left > 0 && all <= mostEver) {
      // Where this process was held up for as long, what was taken meanwhile is read first.
      looking = setTimeout(() => setImmediate(letGo), left).unref();
      return;
    }
    all -= bytes;
    kept.delete(idle);
    idle.destroy();
  }
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
