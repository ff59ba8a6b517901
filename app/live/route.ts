import { asAppError } from "@/lib/errors";
import { onDrain, subscribe } from "@/lib/events/pubsub";
import { readLiveCounts } from "@/lib/live-counts/live-counts";
import { readQuiet } from "@/lib/notifications/active-quiet-hours";
import { markLongLived } from "@/lib/request-context";
import { currentOwner } from "@/lib/web/session";
import { concurrencyLimiter } from "@/lib/work/concurrency-limiter";
import { processSingleton } from "@/lib/work/process-singleton";

const heartbeatMs = 25_000;
/** The retry delay after a failed database query. */
const againMs = 1000;
/** The maximum number of open streams per owner and instance. */
const streams = processSingleton("live streams", () =>
  concurrencyLimiter({ owner: 10, all: Number.POSITIVE_INFINITY }),
);

/**
 * The signed-in owner's event stream. It sends changes and counts, never content. It ends with the
 * session and on drain. `after` is the version of the connecting page, which receives later
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
      let looking = false;
      let wanted = false;
      let changed = false;
      let last = seen;
      let retry: ReturnType<typeof setTimeout> | undefined;
      const close = () => {
        stop();
        try {
          controller.close();
        } catch {
          // The browser disconnected first.
        }
      };
      // Reads requested during a read are coalesced into one.
      const look = async (always = false) => {
        if (looking) {
          wanted = true;
          return;
        }
        looking = true;
        do {
          const tells = changed;
          wanted = changed = false;
          const news = await readQuiet(owner)
            .then((quiet) => readLiveCounts({ ...owner, quiet, since: last }))
            .catch(() => undefined);
          if (!news) {
            changed ||= tells;
            clearTimeout(retry);
            retry = setTimeout(hear, againMs, true);
            break;
          }
          if (!news.signedIn) {
            // The page reloads and finds the session ended.
            controller.enqueue("event: news\ndata: {}\n\n");
            close();
            break;
          }
          const { pending, unseen, version } = news;
          // Equal counts may hide a change and its reversal, so open pages are notified anyway.
          if (tells || news.changed)
            controller.enqueue(`id: ${version}\nevent: news\ndata: ${JSON.stringify({ pending, unseen })}\n\n`);
          else if (always) controller.enqueue("event: beat\ndata:\n\n");
          last = version;
        } while (wanted);
        looking = false;
      };
      const hear = (missed: boolean) => {
        changed ||= !missed;
        void look().catch(close);
      };
      const withdraw = [subscribe(owner.ownerId, hear), onDrain(close)];
      const beat = setInterval(() => void look(true).catch(close), heartbeatMs);
      stop = () => {
        clearInterval(beat);
        clearTimeout(retry);
        for (const end of withdraw) end();
        left();
      };
      request.signal.addEventListener("abort", close);
      if (request.signal.aborted) return close();
      controller.enqueue("retry: 2000\n: hello\n\n");
      await look().catch(close);
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
