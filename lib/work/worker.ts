import type { FailureReporter } from "./failure-reporter";
import { every } from "./timer-registry";

/**
 * A worker's options. Instances share work through the database. An instance leases a job, and
 * another instance can lease it only after the lease has expired. The statement that leases decides
 * the fairness among due jobs.
 */
export type WorkerOptions<Job> = {
  /** The maximum number of concurrent jobs on this instance. */
  concurrency: number;
  /** Leases up to `room` due jobs. */
  take(room: number): Promise<readonly Job[]>;
  /**
   * The pause after each lookup, in milliseconds, so that jobs that end or become due during it are
   * leased together.
   */
  cooldownMs?: number;
  /** Does a job. @param stopping aborted if the job takes too long during shutdown */
  run(job: Job, stopping: AbortSignal): Promise<unknown>;
  /** Renews the leases of running jobs, at this interval in milliseconds. */
  renew?: { every: number; run(jobs: Job[]): Promise<unknown> };
  /** How long jobs may run after `stop`, in milliseconds. The default is unlimited. */
  shutdownGraceMs?: number;
};

export type Worker = {
  /** Looks for due jobs, without waiting. */
  wake(): void;
  /** Resolves when no job is running. */
  idle(): Promise<void>;
  /** Begins no more jobs. The promise resolves once no job is running. */
  stop(): Promise<void>;
};

/**
 * Does due jobs whenever woken, and continues while there are any.
 * @param report receives failures to lease or do a job; a failed job is leased again once its lease
 * has expired
 */
export function worker<Job>(work: WorkerOptions<Job>, report: FailureReporter): Worker {
  const underWay = new Map<Job, Promise<void>>();
  const stopping = new AbortController();
  let [stopped, wanted] = [false, false];
  let taking: Promise<void> | undefined;
  const { concurrency, cooldownMs = 0 } = work;
  const room = () => concurrency - underWay.size;

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

/** How often to look for due jobs while only slow jobs are running, in milliseconds. */
const glance = 1000;

/**
 * Does all jobs that are due or become due, until there are none. After a failure, it begins no
 * more.
 * @param stopping aborted when this instance shuts down; running jobs finish, and no more begin
 * @returns the number of completed jobs, except those whose `run` returns false
 * @throws the first failure, once no job is running
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
