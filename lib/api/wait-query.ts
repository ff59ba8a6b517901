import { z } from "zod";
import { authenticate } from "@/lib/access/authorization";
import type { AppActor } from "@/lib/actor";
import type { Operation, WaitSpec } from "@/lib/api-operation";
import { reportError } from "@/lib/error-reporting";
import { waitParam } from "@/lib/wait-param";
import { type OperationRequest, type OperationResponse, readQuery } from "./operation-request";
import { parseInput } from "./run-operation";

const Waiting = z.strictObject({ wait: waitParam.optional() });
const NoQuery = z.strictObject({});

/**
 * Parses the query of a POST, which may contain only `wait`, and only if the operation can wait.
 * Any other parameter is rejected, because ignoring it would suggest that it works.
 * @throws {AppError} 400
 */
export function checkQuery({ waits, input }: Operation, call: OperationRequest): z.output<typeof Waiting> {
  if (call.method !== "POST" || call.query === "") return {};
  const hints = () => Object.fromEntries(Object.keys(input.shape).map((name) => [name, `Send ${name} in the body.`]));
  return parseInput<z.output<typeof Waiting>>(waits ? Waiting : NoQuery, readQuery(call.query), () => ({
    hints: hints(),
  }));
}

/** Returns whether a call that creates something asks to wait for the outcome. */
export const wantsToWait = (call: OperationRequest) => /(^|&)wait(=|&|$)/.test(call.query);

/**
 * Checks that the app may read the answer, and returns the number of seconds to wait.
 * @param reader the same app, with the scope for reading the answer required
 * @throws {AppError} 401, 403, and 400 for an invalid number of seconds
 */
export async function readWaitSeconds(op: Operation, reader: AppActor, call: OperationRequest): Promise<number> {
  await authenticate(reader);
  return checkQuery(op, call).wait ?? 0;
}

/**
 * Waits for a created record's outcome and returns it. If the outcome can't be read, returns the
 * response without it and with Retry-After, because the record exists.
 * @throws {AppError} 401, 403 if the token or its scope ends during the wait
 */
export async function waitForOutcome(
  waits: WaitSpec,
  reader: AppActor,
  made: OperationResponse,
  seconds: number,
  call: OperationRequest,
): Promise<OperationResponse> {
  try {
    const { text, retryAfter } = await waits.run(reader, JSON.parse(made.body), seconds, () => call.leaving());
    return { ...made, body: text, headers: { ...made.headers, ...later(retryAfter) } };
  } catch (error) {
    const known = reportError(error, "a wait for an answer failed");
    if (known && known.status < 429) throw error;
    return { ...made, headers: { ...made.headers, ...later(1) } };
  }
}

const later = (seconds: number | undefined): Record<string, string> =>
  seconds === undefined ? {} : { "retry-after": String(seconds) };
