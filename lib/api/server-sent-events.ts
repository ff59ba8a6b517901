import type { AppActor } from "@/lib/actor";
import type { Operation, Streams } from "@/lib/api-operation";
import { type OperationRequest, type OperationResponse, readInput } from "./operation-request";
import { readInputFor } from "./run-operation";

const kind = "text/event-stream";

/**
 * Returns whether a caller prefers an event stream to JSON (RFC 9110 section 12.5.1). A tie means
 * JSON.
 */
export function prefersStream(accept: string | undefined): boolean {
  if (!accept?.toLowerCase().includes(kind)) return false;
  const ranges = accept.toLowerCase().split(",").map(readRange);
  const liked = (...names: string[]) =>
    names.map((name) => ranges.find((range) => range.name === name)).find(Boolean)?.quality ?? 0;
  return liked(kind) > liked("application/json", "application/*", "*/*");
}

function readRange(text: string): { name: string; quality: number } {
  const [name = "", ...parameters] = text.split(";").map((part) => part.trim());
  const weight = parameters.find((parameter) => parameter.startsWith("q="));
  return { name, quality: weight === undefined ? 1 : Number(weight.slice(2)) || 0 };
}

/**
 * Returns an operation's response as a stream.
 * @throws {AppError} as the operation itself; 429
 */
export async function openStream(
  op: Operation,
  streams: Streams,
  app: AppActor,
  call: OperationRequest,
): Promise<OperationResponse> {
  const input = await readInputFor(op, app, () => readInput(call));
  const stream = await streams.run(app, input, call.header("last-event-id"), () => call.leaving());
  const headers = { "content-type": kind, "cache-control": "no-store, no-transform", "x-accel-buffering": "no" };
  return { status: 200, headers, body: "", stream };
}
