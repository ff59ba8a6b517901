import type { IncomingMessage, ServerResponse } from "node:http";
import { newRequestId } from "@/lib/api/request-id";
import { clock } from "@/lib/clock";
import { log } from "@/lib/log";
import { type RequestContext, withRequest } from "@/lib/request-context";
import { counter, histogram, isCounting } from "@/lib/telemetry/declare-metrics";
import { tracing } from "@/lib/telemetry/tracing";
import { clientAddress } from "./client-address";

const requests = counter(
  "countersign_http_requests_total",
  "Finished requests, by method, route and status. The status is 499 if the caller disconnected before the response.",
  ...["method", "route", "status"],
);
const durations = histogram(
  "countersign_http_request_duration_seconds",
  "Time, in seconds, from the start of a request to the end of its response. Event streams and long polls are excluded.",
  [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
  ...["method", "route"],
);

/** The first path segments by which metrics group requests. All other requests count as "other". */
export const knownPathPrefixes: ReadonlySet<string> = new Set(
  (
    "llms.txt llms-full.txt robots.txt " +
    "_next .well-known acts activity alerts api apps approvals client confirm-email consent developer device docs favicon frozen goodbye icons " +
    "integrations lens licenses.txt live notifications oauth phone settings setup receipts sign-in sign-out sign-up verify"
  ).split(" "),
);

/**
 * Returns the initial context of a request. Operations and entry points add details to it later.
 */
export function newRequestContext(req: IncomingMessage): RequestContext {
  const timing = { began: clock.elapsed() };
  return { id: newRequestId(), headers: req.headers, timing, caller: req.socket, ...roughly(req) };
}

/**
 * Returns the route and the type of work that a request begins with. The route contains only the
 * first segment of the path, because the rest may be secret.
 */
function roughly({ method, url = "" }: IncomingMessage) {
  const [, first = "", deeper = ""] = /^\/([\w.-]{0,40})([^?]?)/.exec(url) ?? [];
  const kind = ["api", "oauth", "readyz", "receipts", "token"].includes(first) ? first : "pages";
  const place = first === "" || knownPathPrefixes.has(first) ? `/${first}${deeper && "/…"}` : "other";
  return { route: `${method} ${place}`, kind };
}

/**
 * Returns a function that records a request in metrics and traces if these are enabled, and in the
 * log if ACCESS_LOG is `on`.
 */
export function instrumentRequests(): (req: IncomingMessage, res: ServerResponse, request: RequestContext) => void {
  // Reads the setting only once, because reading the environment costs more than all other work in
  // this function.
  const writes = process.env.ACCESS_LOG === "on";
  return (req, res, request) => {
    const ended = tracing()?.request(request);
    if (!writes && !ended && !isCounting()) return;
    res.once("close", () => {
      const status = res.headersSent ? res.statusCode : 499;
      count(request, status);
      ended?.(status);
      if (writes) withRequest(request, () => log.info("request", lineOf(req, status)));
    });
  };
}

/** Counts messages that Node.js rejected before they became requests. */
export const countUnparsed = (status: number): void => requests(["", "unreadable", String(status)]);

function count({ route, timing }: RequestContext, status: number) {
  const space = route.indexOf(" ");
  const [method, where] = [route.slice(0, space), route.slice(space + 1)];
  requests([method, where, String(status)]);
  if (!timing.held) durations([method, where], (clock.elapsed() - timing.began) / 1000);
}

/**
 * Returns the fields of a log line. Only paths below /api are logged, because they contain nothing
 * but IDs.
 */
function lineOf(req: IncomingMessage, status: number) {
  const [path = ""] = req.url?.split("?") ?? [];
  return { status, address: clientAddress(req), ...(path.startsWith("/api/") && { path: path.slice(0, 200) }) };
}
