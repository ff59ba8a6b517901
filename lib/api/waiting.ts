import { z } from "zod";
import { identify } from "@/lib/access/admission";
import type { AppActor } from "@/lib/actor";
import type { Operation, WaitSpec } from "@/lib/operation";
import { reportError } from "@/lib/error-reporting";
import { waitParam } from "@/lib/wait-param";
import { type Call, type OperationReply, readQuery } from "./call";
import { check } from "./perform";

const Waiting = z.strictObject({ wait: waitParam.optional() });
const NoQuery = z.strictObject({});

/**
 * The query of a POST, which takes `wait` at most: a parameter that had no effect would be taken for one that has.
 * @throws {AppError} 400
 */
export function checkQuery({ waits, input }: Operation, call: Call): z.output<typeof Waiting> {
  if (call.method !== "POST" || call.query === "") return {};
  const inBody = Object.keys(input.shape).map((name) => [name, "Send it in the body"]);
  return check<z.output<typeof Waiting>>(waits ? Waiting : NoQuery, readQuery(call.query), {
    hints: Object.fromEntries(inBody),
  });
}

/** Whether a call that makes something asks to wait for what comes of it. */
export const asksToWait = (call: Call) => /(^|&)wait(=|&|$)/.test(call.query);

/**
 * How many seconds.
 * @param reader the app as the one who will read the answer
 * @throws {AppError} 401, 403, and 400 for what is no number of seconds
 */
export async function readSeconds(op: Operation, reader: AppActor, call: Call): Promise<number> {
  await identify(reader);
  return checkQuery(op, call).wait ?? 0;
}

/**
 * What was made, with what came of it. It is made whatever happens now: where the answer cannot be read, the reply is as
 * without waiting, and says when to ask.
 * @throws {AppError} 401, 403 when the token or its scope ended meanwhile
 */
export async function waitOn(
  waits: WaitSpec,
  reader: AppActor,
  made: OperationReply,
  seconds: number,
  call: Call,
): Promise<OperationReply> {
  try {
    const { text, retryAfter } = await waits.run(reader, JSON.parse(made.body), seconds, () => call.leaving());
    return { ...made, body: text, headers: { ...made.headers, ...later(retryAfter) } };
  } catch (error) {
    const known = reportError(error, "waiting failed");
    if (known && known.status < 429) throw error;
    return { ...made, headers: { ...made.headers, ...later(1) } };
  }
}

const later = (seconds: number | undefined): Record<string, string> =>
  seconds === undefined ? {} : { "retry-after": String(seconds) };
