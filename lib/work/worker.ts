import type { FailureReporter } from "./failure-reporter";
import { every } from "./timers";

/**
 * Several copies of the service share work through the database: a job is taken with a lease, by one copy, and by another only
 * when that lease ran out. How to choose fairly among what is due is a matter of the statement that takes it.
 */
export type WorkerOptions<Job> = {
  /** Most jobs under way on this copy. */
  most: number;
  /** Take what is due, so many at most. */
  take(room: number): Promise<readonly Job[]>;
  /** After a look nothing more is taken for so many milliseconds, so that what ends or becomes due meanwhile goes together. */
  cooldownMs?: number;
  /** Do a job. @param stopping aborted where it takes too long for a copy that is to end */
  run(job: Job, stopping: AbortSignal): Promise<unknown>;
  /** Say every so many milliseconds of those under way that they still are. */
  renew?: { every: number; run(jobs: Job[]): Promise<unknown> };
  /** How long jobs may still take after `stop`, in milliseconds; as long as they need unless given. */
  shutdownGraceMs?: number;
};

export type Worker = {
  /** See whether something is due, and wait for nothing. */
  wake(): void;
  /** Resolves when nothing is under way. */
  idle(): Promise<void>;
  /** Begin no more. @returns once nothing is under way */
  stop(): Promise<void>;
};

/**
 * Do what is due whenever it is woken, and go on while there is some.
 * @param report told of what could not be taken or done, which is taken again once its lease has run out
 */
export function worker<Job>(work: WorkerOptions<Job>, report: FailureReporter): Worker {
  const underWay = new Map<Job, Promise<void>>();
  const stopping = new AbortController();
  let [stopped, wanted] = [false, false];
  let taking: Promise<void> | undefined;
  const { most, cooldownMs = 0 } = work;
  const room = () => most - underWay.size;

  const begin = (job: Job) => {
    const done = work.run(job, stopping.signal).then(report.succeeded, report.failed);
    underWay.set(
      job,
      done.finally(() => {
        underWay.delete(job);
        wake();
      }),
    );
  };
  const takeAll = async () => {
    while (wanted && !stopped && room() > 0) {
      wanted = false;
      const jobs = await work.take(room());
      for (const job of jobs) begin(job);
      if (jobs.length > 0) wanted = true;
      else report.succeeded();
      if (cooldownMs > 0) await new Promise((resolve) => setTimeout(resolve, cooldownMs));
    }
  };
  const wake = () => {
    wanted = true;
    if (stopped || taking) return;
    taking = takeAll()
      .catch((error) => {
        report.failed(error);
        wanted = false;
      })
      .finally(() => {
        taking = undefined;
        if (wanted && room() > 0) wake();
      });
  };
  const stopRenewing =
    work.renew &&
    every(work.renew.every, () => {
      if (underWay.size > 0) work.renew?.run([...underWay.keys()]).catch(() => {});
    });

  const idle = async () => {
    while (taking || underWay.size > 0) await Promise.all([taking, ...underWay.values()]);
  };
  const stop = async () => {
    stopped = true;
    const late =
      work.shutdownGraceMs !== undefined ? setTimeout(() => stopping.abort(), work.shutdownGraceMs) : undefined;
    await idle();
    clearTimeout(late);
    stopRenewing?.();
  };
  return { wake, idle, stop };
}

/** While only slow jobs are under way, what has become due meanwhile does not wait for them (milliseconds). */
const glance = 1000;

/**
 * Do what is due, and what becomes due meanwhile, until nothing is. After a failure nothing more is begun.
 * @param stopping when this copy is to end: what has begun ends, and nothing more begins
 * @returns how many jobs were done; one whose `run` answers false is none
 * @throws the first failure, once nothing is under way
 */
export async function runUntilEmpty<Job>(work: WorkerOptions<Job>, stopping?: AbortSignal): Promise<number> {
  const failures: unknown[] = [];
  let count = 0;
  const round = worker<Job>(
    {
      ...work,
      take: async (room) => (stopping?.aborted || failures.length > 0 ? [] : work.take(room)),
      run: async (job, signal) => {
        if ((await work.run(job, signal)) !== false) count++;
      },
    },
    { failed: (error) => void failures.push(error), succeeded: () => {} },
  );
  const glancing = setInterval(round.wake, glance);
  round.wake();
  await round.idle();
  clearInterval(glancing);
  if (failures.length > 0) throw failures[0];
  return count;
}
