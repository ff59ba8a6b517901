import type { AppActor } from "@/lib/actor";
import { AppError } from "@/lib/errors";
import { readUntil } from "@/lib/grants/listening";
import { Wire } from "@/lib/operation";
import { getApproval } from "./approvals";
import type { Approval } from "./schema";

/** Whoever was not answered in time may ask again at once; a copy that is stopping, or has no place left, is given a moment. */
const retryAfter = 1;

/**
 * One approval, as soon as it is resolved on any copy of the service, or as it is after so many seconds (`retryAfter` is set
 * then). No database connection is held meanwhile.
 * @param signal aborted when the caller leaves
 * @throws {AppError} 404; 401 and 403 also when the token or its scope ends meanwhile; 429 when too many wait
 */
export async function waitForApproval(app: AppActor, id: string, seconds: number, signal: AbortSignal): Promise<Wire> {
  // A deadline that passes meanwhile is told at once; who asks again after it waits as ever, rather than ask without end.
  let wasOpen = false;
  const { value, late } = await readUntil(app, {
    ...{ seconds, signal, ordered: false },
    wants: (type, subject) => subject === id && (type === "approval.resolved" || type === "approval.deadline_passed"),
    read: () => getApproval(app, id),
    done: ({ text }) => {
      const { status, deadlinePassed } = JSON.parse(text) as Approval;
      if (status === "resolved" || (deadlinePassed && wasOpen)) return true;
      wasOpen = !deadlinePassed;
      return false;
    },
  });
  return late ? new Wire(value.text, undefined, [], retryAfter) : value;
}

/**
 * The same for one that was submitted just now, beside its id. Where too many wait already, it is told as it is.
 * @throws {AppError} 401 and 403 when the token or its scope ends meanwhile
 */
export async function waitForSubmitted(app: AppActor, id: string, seconds: number, signal: AbortSignal): Promise<Wire> {
  const wire = await waitForApproval(app, id, seconds, signal).catch(async (error) => {
    if (!(error instanceof AppError && error.status === 429)) throw error;
    return new Wire((await getApproval(app, id)).text, undefined, [], 5);
  });
  return new Wire(`{"id":"${id}",${wire.text.slice(1)}`, undefined, [], wire.retryAfter);
}
