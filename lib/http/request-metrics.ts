import type { IncomingMessage, ServerResponse } from "node:http";
import { newRequestId } from "@/lib/api/request-id";
import { log } from "@/lib/log";
import { type RequestContext, withRequest } from "@/lib/request-context";
import { counter, histogram, isCounting } from "@/lib/telemetry/metrics";
import { tracing } from "@/lib/telemetry/tracing";
import { clientAddress } from "./client-address";

const requests = counter(
  "countersign_http_requests_total",
  "Requests that ended, by what was asked and the status; 499 where the caller left before the reply.",
  ...["method", "route", "status"],
);
const durations = histogram(
  "countersign_http_request_duration_seconds",
  "Time from a request to the end of its reply. Event streams and requests that wait for an answer are left out.",
  [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
  ...["method", "route"],
);

/** Where pages and files are, by the first part of their address. */
export const knownPathPrefixes: ReadonlySet<string> = new Set(
  (
    "llms.txt llms-full.txt robots.txt " +
    "_next .well-known acts activity alerts api apps approvals client confirm-email consent developer device docs favicon goodbye icons " +
    "integrations licences.txt live notifications oauth phone settings setup sign-in sign-out sign-up"
  ).split(" "),
);

/** What is known of a request when it comes. Operations and doors name it better. */
export function newRequestContext(req: IncomingMessage): RequestContext {
  const timing = { began: performance.now() };
  return { id: newRequestId(), headers: req.headers, timing, caller: req.socket, ...roughly(req) };
}

/** What a request is, from its address alone: its first part, since what follows may be a secret. */
function roughly({ method, url = "" }: IncomingMessage) {
  const [, first = "", deeper = ""] = /^\/([\w.-]{0,40})([^?]?)/.exec(url) ?? [];
  const kind = ["api", "oauth", "readyz", "token"].includes(first) ? first : "pages";
  const place = first === "" || knownPathPrefixes.has(first) ? `/${first}${deeper && "/…"}` : "other";
  return { route: `${method} ${place}`, kind };
}

/**
 * See how requests go: in numbers where somebody counts, in a trace where somebody records, and as a line of the log where
 * ACCESS_LOG asks for it.
 */
export function instrumentRequests(): (req: IncomingMessage, res: ServerResponse, request: RequestContext) => void {
  // Once: to look into the environment costs more than all the rest.
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

/** What Node refused before it was a request. */
export const countUnparsed = (status: number): void => requests(["", "unreadable", String(status)]);

function count({ route, timing }: RequestContext, status: number) {
  const space = route.indexOf(" ");
  const [method, where] = [route.slice(0, space), route.slice(space + 1)];
  requests([method, where, String(status)]);
  if (!timing.held) durations([method, where], (performance.now() - timing.began) / 1000);
}

/** Of an address only what is no secret: below /api there are ids. */
function lineOf(req: IncomingMessage, status: number) {
  const [path = ""] = req.url?.split("?") ?? [];
  return { status, address: clientAddress(req), ...(path.startsWith("/api/") && { path: path.slice(0, 200) }) };
}
