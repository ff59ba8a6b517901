import { type Answer, asAnswer } from "./answer";
import { type Calls, pause } from "./calls";
import { CountersignError, NoAnswerError } from "./errors";
import type { Approval, ApprovalRequest, Operations } from "./types";

/** A question, and how to ask it. */
export type AskRequest = ApprovalRequest & {
  /**
   * What makes this question one: asked again with the same key within 24 hours, by a program that was started again too, it
   * is not asked anew. Made up for each call unless told.
   */
  key?: string;
  /** Stops waiting. The question stays with the owner. */
  signal?: AbortSignal;
  /** How long to wait for the answer, in milliseconds; as long as it takes unless told. */
  timeoutMs?: number;
  /** Hears the approval's id as soon as it is known: what to keep for a program that may be ended meanwhile. */
  onAsked?: (id: string) => void;
  /** Hears what the owner wants to know first, and may give the text to tell them. Without it the question waits on. */
  onQuestion?: (question: string, id: string) => string | undefined | Promise<string | undefined>;
};

type Waiting = { until: number } & Pick<AskRequest, "signal" | "onQuestion">;

/** Most seconds that one call waits. */
const longest = 60;

/**
 * Ask the owner and wait for the answer, over restarts of the service, broken connections and refusals that pass.
 * @throws {NoAnswerError} when `timeoutMs` is over; {CountersignError}; the signal's reason
 */
export async function ask(calls: Calls, question: AskRequest): Promise<Answer> {
  const { key, signal, timeoutMs, onAsked, onQuestion, ...content } = question;
  const until = performance.now() + (timeoutMs ?? Number.POSITIVE_INFINITY);
  // Who may be ended meanwhile has to know the id before the wait.
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
type Read = { value: Partial<Approval>; headers: Headers };

/**
 * @param first what was read already
 * @throws {NoAnswerError} {CountersignError}
 */
export async function waitFor(calls: Calls, id: string, how: Waiting, first?: Read): Promise<Answer> {
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
    // What was said after a question may have been said by this program before it was started again.
    const said = additions.at(-1)?.createdAt ?? 0;
    for (const { text, createdAt } of questions.slice(heard)) if (createdAt > said) await reply(calls, id, how, text);
    if (questions.length === heard) await breathe(headers, until, signal);
    heard = questions.length;
  }
}

const look = (calls: Calls, id: string, { until, signal }: Waiting): Promise<Read> =>
  unlessLate(id, until, () =>
    calls.json<Approval>({
      method: "GET",
      path: approvalAt(id),
      signal,
      until,
      ...waiting(until),
    }),
  );

/** The owner wants to know more: the program may tell them. */
async function reply(calls: Calls, id: string, { signal, onQuestion }: Waiting, question: string) {
  const text = await onQuestion?.(question, id);
  if (text === undefined) return;
  await addContext(calls, id, text, signal).catch((error) => {
    // They answered meanwhile, which is what the next look tells.
    if (!(error instanceof CountersignError && error.status === 409)) throw error;
  });
}

/** Tell the owner more about a question that waits. It is shown beneath it. */
export async function addContext(calls: Calls, id: string, text: string, signal?: AbortSignal): Promise<void> {
  const path = `${approvalAt(id)}/additions`;
  await calls.json({ method: "POST", path, body: { text }, key: crypto.randomUUID(), signal });
}

/** @throws {TypeError} when there is no id */
export const approvalAt = (id: string): string => `/api/approvals/${segment(id, "approval")}`;

/**
 * An id as a segment of a path. Programs without types pass `undefined`, which would ask for something called "undefined".
 * @throws {TypeError} when there is no id
 */
export function segment(id: string, what: string): string {
  if (typeof id !== "string" || id === "") throw new TypeError(`No ${what} id was given`);
  return encodeURIComponent(id);
}

/** How long this call may wait at the service. With hardly any time left it only looks. */
function waiting(until: number): { query?: { wait: number }; waits?: number } {
  const seconds = Math.min(longest, Math.floor((until - performance.now()) / 1000));
  return seconds < 1 ? {} : { query: { wait: seconds }, waits: seconds };
}

/** What failed when the time was over, has not been answered in time. */
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

/** A reply that came before its time says when to ask again, so that no service is asked without a pause. */
async function breathe(headers: Headers, until: number, signal: AbortSignal | undefined) {
  const seconds = Number(headers.get("retry-after") ?? 1);
  const left = until - performance.now();
  if (left > 0) await pause(Math.min(left, (Number.isFinite(seconds) ? seconds : 1) * 1000), signal);
}
