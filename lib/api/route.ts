import { type AppError, tooLarge } from "@/lib/errors";
import type { Operation } from "@/lib/operation";
import { bodyLimit, type Call, type OperationReply } from "./call";
import { answer, dress } from "./endpoint";
import { methodNotAllowed, preflight } from "./refusals";
import { operationsAt } from "./registry";

type Context = { params: Promise<Record<string, string>> };
type Handler = (request: Request, context: Context) => Promise<Response>;

/** The operation as a route handler, for `next dev` and for hosts that run Next without our front. */
export const endpoint =
  (op: Operation): Handler =>
  async (request, { params }) =>
    toResponse(await answer(op, toCall(request, await params)));

/** The handlers for the methods that a path's operations do not serve: 405 with `Allow`, and 204 for OPTIONS. */
export function otherMethods(path: string): Record<"PUT" | "PATCH" | "DELETE" | "POST" | "GET" | "OPTIONS", Handler> {
  const allowed = operationsAt(path).map((op) => op.method);
  const refuse: Handler = async () => toResponse(dress(methodNotAllowed(allowed)));
  const options: Handler = async () => toResponse(dress(preflight(allowed)));
  return { PUT: refuse, PATCH: refuse, DELETE: refuse, POST: refuse, GET: refuse, OPTIONS: options };
}

export const toResponse = ({ status, headers, body, stream }: OperationReply): Response =>
  new Response(stream ? toBody(stream) : status === 204 ? null : body, { status, headers });

/** Pieces are read as they are wanted, so that nothing piles up for a slow reader. */
const toBody = (stream: AsyncGenerator<string>): ReadableStream<Uint8Array> =>
  new ReadableStream<string>({
    async pull(controller) {
      const { done, value } = await stream.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: async () => void (await stream.return(undefined)),
  }).pipeThrough(new TextEncoderStream());

const toCall = (request: Request, params: Record<string, string>): Call => ({
  method: request.method,
  query: new URL(request.url).search.slice(1),
  params,
  header: (name) => request.headers.get(name) ?? undefined,
  body: () => readAll(request),
  leaving: () => request.signal,
});

/** @throws {AppError} 413 at the limit, without reading on */
async function readAll(request: Request): Promise<Buffer> {
  if (Number(request.headers.get("content-length") ?? 0) > bodyLimit) throw tooLarge();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of (request.body ?? []) as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength;
    if (size > bodyLimit) throw tooLarge() satisfies AppError;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
