import type { AppActor } from "@/lib/actor";
import { AppError } from "@/lib/errors";
import { RawJson } from "@/lib/operation";
import { pollUntil } from "@/lib/requests/long-poll";
import { getApproval } from "./approvals";
import type { Approval } from "./schema";
import { knownQuestions, markQuestionsReturned } from "./thread/clarifications";

/** Whoever was not answered in time may ask again at once; a copy that is stopping, or has no place left, is given a moment. */
const retryAfter = 1;

const worthReading: ReadonlySet<string> = new Set([
  ...["approval.resolved", "approval.deadline_passed", "approval.question_asked"],
]);

/**
 * One approval, as soon as it is resolved on any copy of the service, its deadline passes or its owner asks back, or as it is
 * after so many seconds (`retryAfter` is set then). For each question of the owner's one wait ends early, or those that go on just then: the next
 * one waits for what is to come, whether or not the app can make anything of questions. No database connection is held
 * meanwhile.
 * @param signal aborted when the caller leaves
 * @throws {AppError} 404; 401 and 403 also when the token or its scope ends meanwhile; 429 when too many wait
 */
export async function waitForApproval(
  app: AppActor,
  id: string,
  seconds: number,
  signal: AbortSignal,
): Promise<RawJson> {
  let known: number | undefined;
  // A deadline that passes meanwhile is told at once; who asks again after it waits as ever, rather than ask without end.
  let wasOpen = false;
  const { value, late } = await pollUntil(app, {
    seconds,
    signal,
    ordered: false,
    wants: (type, subject) => subject === id && worthReading.has(type),
    read: async () => {
      const { text } = await getApproval(app, id);
      const { status, deadlinePassed = false, questions = [] } = JSON.parse(text) as Approval;
      const [asked, resolved] = [questions.length, status === "resolved"];
      known ??= asked === 0 || resolved ? asked : await knownQuestions(app, id);
      return { text, asked, resolved, deadlinePassed };
    },
    done: ({ asked, resolved, deadlinePassed }) => {
      if (resolved || asked > (known ?? 0) || (deadlinePassed && wasOpen)) return true;
      wasOpen = !deadlinePassed;
      return false;
    },
  });
  if (!value.resolved && value.asked > (known ?? 0)) await markQuestionsReturned(app, id, value.asked);
  return new RawJson(value.text, undefined, [], late ? retryAfter : undefined);
}

/**
 * The same for one that was submitted just now, beside its id. Where too many wait already, it is told as it is.
 * @throws {AppError} 401 and 403 when the token or its scope ends meanwhile
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
