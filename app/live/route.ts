import { clock } from "@/lib/clock";
import { asAppError } from "@/lib/errors";
import { onDrain, subscribe } from "@/lib/events/pubsub";
import { markLongLived } from "@/lib/request-context";
import { currentOwner } from "@/lib/web/session";
import { concurrencyLimiter } from "@/lib/work/concurrency-limiter";
import { processSingleton } from "@/lib/work/process-singleton";
import { CountStream } from "./count-stream";

const heartbeatMs = 25_000;
/** The maximum number of open streams per owner and instance. */
const streams = processSingleton("live streams", () =>
  concurrencyLimiter({ owner: 10, all: Number.POSITIVE_INFINITY }),
);

/**
 * Streams changes and counts to the signed-in owner, but never content. The stream ends when the
 * session ends or the instance drains. `after` is the page's version: the stream reports only later
 * changes.
 */
export async function GET(request: Request): Promise<Response> {
  const owner = await currentOwner().catch((error) => {
    if (asAppError(error)) return undefined;
    throw error;
  });
  if (owner === undefined) return new Response(null, { status: 503, headers: { "retry-after": "1" } });
  if (owner === null) return new Response(null, { status: 401 });
  const leave = streams()({ owner: owner.ownerId });
  if (!leave) return new Response(null, { status: 429, headers: { "retry-after": "5" } });
  const seen = request.headers.get("last-event-id") ?? new URL(request.url).searchParams.get("after") ?? "";

  const ended = markLongLived("page");
  const left = () => {
    leave();
    ended();
  };
  let stop = left;
  const body = new ReadableStream<string>({
    async start(controller) {
      const close = () => {
        stop();
        try {
          controller.close();
        } catch {
          // Closing fails if the browser disconnected first.
        }
      };
      const news = new CountStream(owner, seen, { send: (text) => controller.enqueue(text), close });
      const withdraw = [subscribe(owner.ownerId, (missed) => news.onChange(missed)), onDrain(close)];
      const beat = clock.setInterval(() => news.beat(), heartbeatMs);
      stop = () => {
        clearInterval(beat);
        news.stop();
        for (const end of withdraw) end();
        left();
      };
      request.signal.addEventListener("abort", close);
      if (request.signal.aborted) return close();
      controller.enqueue("retry: 2000\n: hello\n\n");
      await news.read().catch(close);
    },
    cancel: () => stop(),
  });
  return new Response(body.pipeThrough(new TextEncoderStream()), {
    headers: {
      "content-type": "text/event-stream; charset=utf-8",
      "cache-control": "no-cache, no-transform",
      "x-accel-buffering": "no",
    },
  });
}
