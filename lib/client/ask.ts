import { type Answer, asAnswer } from "./answer";
import { CountersignError, NoAnswerError } from "./errors";
import { type Calls, pause } from "./http-calls";
import type { Approval, ApprovalRequest, Operations } from "./types";

/** A question, and how to ask it. */
export type AskRequest = ApprovalRequest & {
  /**
   * Identifies the question. Within 24 hours, asking again with the same key does not ask the owner
   * twice, even if the program has restarted. By default, each call has a random key.
   */
  key?: string;
  /** Aborts the wait. The owner can still answer the question. */
  signal?: AbortSignal;
  /** How long to wait for the answer, in milliseconds; indefinitely by default. */
  timeoutMs?: number;
  /**
   * Receives the approval's ID as soon as it is known. A program that may be stopped can save the
   * ID, and wait for the answer after a restart.
   */
  onAsked?: (id: string) => void;
  /**
   * Receives the owner's question and may return a reply, which is added to the approval. The wait
   * continues with or without a reply.
   */
  onQuestion?: (question: string, id: string) => string | undefined | Promise<string | undefined>;
};

type WaitOptions = { until: number } & Pick<AskRequest, "signal" | "onQuestion">;

/** Maximum wait of one call, in seconds. */
const maxWaitSeconds = 60;

/**
 * Asks the owner and waits for the answer. Retries after restarts of the service, broken
 * connections and temporary errors.
 * @throws {NoAnswerError} after `timeoutMs` or the deadline; {CountersignError}; the signal's
 *   reason
 */
export async function ask(calls: Calls, question: AskRequest): Promise<Answer> {
  const { key, signal, timeoutMs, onAsked, onQuestion, ...content } = question;
  const until = performance.now() + (timeoutMs ?? Number.POSITIVE_INFINITY);
  // Asks and waits in separate calls if the program needs the ID before the wait, or may end the
  // wait.
  const apart = onAsked !== undefined || signal !== undefined || timeoutMs !== undefined;
  const { value, headers } = await unlessLate(undefined, until, () =>
    calls.json<Operations["submitApproval"]["gives"]>({
      method: "POST",
      path: "/api/approvals",
      body: content,
      key: key ?? crypto.randomUUID(),
      signal,
      until,
      ...(!apart && waiting(until)),
    }),
  );
  onAsked?.(value.id);
  return waitFor(calls, value.id, { until, signal, onQuestion }, apart ? undefined : { value, headers });
}

type Words = { text: string; createdAt: number };
type Thread = { deadlinePassed?: boolean; questions?: Words[]; additions?: Words[] };
type ApprovalReply = { value: Partial<Approval>; headers: Headers };

/**
 * Waits for the answer to a question.
 * @param first the approval, if already read
 * @throws {NoAnswerError} after `until` or the deadline; {CountersignError}
 */
export async function waitFor(calls: Calls, id: string, how: WaitOptions, first?: ApprovalReply): Promise<Answer> {
  const { until, signal } = how;
  segment(id, "approval");
  let heard = 0;
  for (let read = first; ; read = undefined) {
    const { value, headers } = read ?? (await look(calls, id, how));
    if (value.status === "resolved" && value.resolution)
      return asAnswer(id, value.resolution, calls.connection.allowSimulated);
    const { deadlinePassed, questions = [], additions = [] } = value as Thread;
    if (deadlinePassed) throw new NoAnswerError(id, true);
    if (performance.now() >= until) throw new NoAnswerError(id);
    // Questions before the last addition already have a reply, perhaps from before a restart.
    const lastAdditionAt = additions.at(-1)?.createdAt ?? 0;
    for (const { text, createdAt } of questions.slice(heard))
      if (createdAt > lastAdditionAt) await reply(calls, id, how, text);
    if (questions.length === heard) await breathe(headers, until, signal);
    heard = questions.length;
  }
}

const look = (calls: Calls, id: string, { until, signal }: WaitOptions): Promise<ApprovalReply> =>
  unlessLate(id, until, () =>
    calls.json<Approval>({ method: "GET", path: approvalAt(id), signal, until, ...waiting(until) }),
  );

/** Adds the program's reply to the owner's question, if `onQuestion` returns one. */
async function reply(calls: Calls, id: string, { signal, onQuestion }: WaitOptions, question: string) {
  const text = await onQuestion?.(question, id);
  if (text === undefined) return;
  await addContext(calls, id, text, signal).catch((error) => {
    // The owner answered in the meantime, as the next read will show.
    if (!(error instanceof CountersignError && error.status === 409)) throw error;
  });
}

/** Adds text to a pending question. The text appears below the question. */
export async function addContext(calls: Calls, id: string, text: string, signal?: AbortSignal): Promise<void> {
  const path = `${approvalAt(id)}/additions`;
  await calls.json({ method: "POST", path, body: { text }, key: crypto.randomUUID(), signal });
}

/**
 * Returns an approval's path.
 * @throws {TypeError} if there is no ID
 */
export const approvalAt = (id: string): string => `/api/approvals/${segment(id, "approval")}`;

/**
 * Encodes an ID as a path segment. Untyped programs may pass `undefined`, which would request a
 * record called "undefined".
 * @throws {TypeError} if there is no ID
 */
export function segment(id: string, what: string): string {
  if (typeof id !== "string" || id === "") throw new TypeError(`The ${what} ID is missing`);
  return encodeURIComponent(id);
}

/**
 * Returns the wait parameters for a call that ends before `until`, at most `maxWaitSeconds`.
 * Returns none if less than a second is left.
 */
function waiting(until: number): { query?: { wait: number }; waits?: number } {
  const seconds = Math.min(maxWaitSeconds, Math.floor((until - performance.now()) / 1000));
  return seconds < 1 ? {} : { query: { wait: seconds }, waits: seconds };
}

/**
 * Runs a call.
 * @throws {NoAnswerError} if the call fails with a temporary error after the timeout
 */
async function unlessLate<T>(id: string | undefined, until: number, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const status = (error as { status?: number }).status;
    const passing = status !== undefined && (status === 0 || status === 429 || status >= 500);
    if (passing && performance.now() >= until) throw new NoAnswerError(id);
    throw error;
  }
}

/**
 * Sleeps for the response's Retry-After, or by default for a second, so that the client never polls
 * without a pause. Sleeps at most until `until`.
 */
async function breathe(headers: Headers, until: number, signal: AbortSignal | undefined) {
  const seconds = Number(headers.get("retry-after") ?? 1);
  const left = until - performance.now();
  if (left > 0) await pause(Math.min(left, (Number.isFinite(seconds) ? seconds : 1) * 1000), signal);
}
