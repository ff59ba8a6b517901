import type { AppActor } from "@/lib/actor";
import { RawJson } from "@/lib/api-operation";
import { AppError } from "@/lib/errors";
import { pollUntil } from "@/lib/requests/long-poll";
import { getApproval } from "./approvals";
import type { Approval } from "./schema";
import { knownQuestions, markQuestionsReturned } from "./thread/clarifications";

/** Seconds until the app should ask again if the wait ended without a result. */
const retryAfter = 1;

const worthReading: ReadonlySet<string> = new Set([
  ...["approval.resolved", "approval.deadline_passed", "approval.question_asked"],
]);

/**
 * Waits until an approval is resolved on any instance, its deadline passes or its owner asks for
 * clarification. After `seconds`, or when this instance stops, returns the current state with
 * `retryAfter`. A new clarification ends the current waits. Later waits ignore that clarification,
 * so apps that can't handle clarifications can wait too. Holds no database connection during the
 * wait.
 * @param signal aborted when the caller disconnects
 * @throws {AppError} 404; 401 and 403 also if the token or its scope ends during the wait; 429 if
 *   too many requests wait
 */
export async function waitForApproval(
  app: AppActor,
  id: string,
  seconds: number,
  signal: AbortSignal,
): Promise<RawJson> {
  let known: number | undefined;
  // A deadline that passes during the wait ends the wait immediately. Waits that begin after the
  // deadline last their full time, so that clients do not poll in a loop.
  let wasOpen = false;
  const { value, late } = await pollUntil(app, {
    seconds,
    signal,
    ordered: false,
    wants: (type, subject) => subject === id && worthReading.has(type),
    read: async () => {
      const { text } = await getApproval(app, id);
      const { status, deadlinePassed = false, questions = [] } = JSON.parse(text) as Approval;
      const [count, resolved] = [questions.length, status === "resolved"];
      known ??= count === 0 || resolved ? count : await knownQuestions(app, id);
      return { text, count, resolved, deadlinePassed };
    },
    done: ({ count, resolved, deadlinePassed }) => {
      if (resolved || count > (known ?? 0) || (deadlinePassed && wasOpen)) return true;
      wasOpen = !deadlinePassed;
      return false;
    },
  });
  if (!value.resolved && value.count > (known ?? 0)) await markQuestionsReturned(app, id, value.count);
  return new RawJson(value.text, undefined, [], late ? retryAfter : undefined);
}

/**
 * Waits for an approval that was just submitted, and adds the approval's ID to the response. If too
 * many requests already wait, responds immediately.
 * @throws {AppError} 401 and 403 if the token or its scope ends during the wait
 */
export async function waitForSubmitted(
  app: AppActor,
  id: string,
  seconds: number,
  signal: AbortSignal,
): Promise<RawJson> {
  const wire = await waitForApproval(app, id, seconds, signal).catch(async (error) => {
    if (!(error instanceof AppError && error.status === 429)) throw error;
    return new RawJson((await getApproval(app, id)).text, undefined, [], 5);
  });
  return new RawJson(`{"id":"${id}",${wire.text.slice(1)}`, undefined, [], wire.retryAfter);
}
