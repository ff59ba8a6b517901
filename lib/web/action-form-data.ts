import { AsyncLocalStorage } from "node:async_hooks";
import type { IncomingMessage, ServerResponse } from "node:http";
import { processSingleton } from "@/lib/work/process-singleton";

type Call = { begun: boolean };

const calls = processSingleton("action calls", () => new AsyncLocalStorage<Call>())();

/**
 * Asserts that an action received its form. Failures after this point are our own.
 * @throws {TypeError} if there is none
 */
export function requireFormData(form: unknown): void {
  if (!(form instanceof FormData)) throw new TypeError("An action was called without a form");
  const call = calls.getStore();
  if (call) call.begun = true;
}

/**
 * Serves requests that may call a server action. Next returns 500 for a call that it can't decode,
 * or whose arguments don't fit the action. No action has begun then, so it is the caller's fault
 * and becomes 400.
 */
export function toActionCall(req: IncomingMessage, res: ServerResponse, serve: () => Promise<void>): Promise<void> {
  const calling = req.headers["next-action"] ?? /^multipart\/form-data/i.test(req.headers["content-type"] ?? "");
  if (req.method !== "POST" || !calling) return serve();
  const call: Call = { begun: false };
  // Next sets the status first and lets Node write it.
  const writeHead = res.writeHead.bind(res) as (status: number, ...rest: unknown[]) => ServerResponse;
  res.writeHead = (status: number, ...rest: unknown[]) =>
    writeHead(status === 500 && !call.begun ? 400 : status, ...rest);
  return calls.run(call, serve);
}
