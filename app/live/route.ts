import { asAppError } from "@/lib/errors";
import { onDrain, subscribe } from "@/lib/events/hub";
import { readNews } from "@/lib/news/news";
import { readQuiet } from "@/lib/notifications/quiet";
import { hold } from "@/lib/request-context";
import { currentOwner } from "@/lib/web/session";
import { perProcess } from "@/lib/work/per-process";
import { places } from "@/lib/work/places";

const heartbeatMs = 25_000;
/** Most streams that one owner may have open on one copy of the service. */
const streams = perProcess("live streams", () => places({ owner: 10, all: Number.POSITIVE_INFINITY }));

/**
 * The signed-in owner's event stream: says that there is news and how many wait, never what. Ends with the session, and
 * when the service drains. The page then connects again and says what it has seen.
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
  const again = request.headers.get("last-event-id");
  const seen = again ?? new URL(request.url).searchParams.get("after") ?? "";

  const ended = hold("page");
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
      let last = again === null ? seen : "";
      const close = () => {
        stop();
        try {
          controller.close();
        } catch {
          // The browser was first.
        }
      };
      // Looks that are asked for while one is under way become one; a listener that was told twice is told once.
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
            .then((quiet) => readNews({ ...owner, quiet }))
            .catch(() => undefined);
          if (!news) {
            changed ||= tells;
            break;
          }
          if (!news.signedIn) {
            // The page looks once more, and finds that it is nobody's.
            controller.enqueue("event: news\ndata: {}\n\n");
            close();
            break;
          }
          const { pending, unseen, event } = news;
          // Changed and changed back, counts are as before: an open page may have read what was in between.
          if (tells || event !== last)
            controller.enqueue(`id: ${event}\nevent: news\ndata: ${JSON.stringify({ pending, unseen })}\n\n`);
          else if (always) controller.enqueue(": still here\n\n");
          last = event;
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
