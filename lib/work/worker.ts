import type { FailureReporter } from "./failure-reporter";
import { every } from "./timer-registry";

/**
 * The options of a worker. Instances share jobs through the database. While an instance's lease of
 * a job is valid, no other instance can lease the job. The statement that leases jobs decides which
 * come first.
 */
export type WorkerOptions<Job> = {
  /** The maximum number of concurrent jobs on this instance. */
  concurrency: number;
  /** Leases up to `room` due jobs. */
  take(room: number): Promise<readonly Job[]>;
  /**
   * The pause after each lookup, in milliseconds. Jobs that become due meanwhile are leased
   * together.
   */
  cooldownMs?: number;
  /**
   * Does a job.
   * @param stopping aborted if the job takes too long after `stop`
   */
  run(job: Job, stopping: AbortSignal): Promise<unknown>;
  /** Renews the leases of running jobs, at this interval in milliseconds. */
  renew?: { every: number; run(jobs: Job[]): Promise<unknown> };
  /**
   * How long jobs may still run after `stop`, in milliseconds. By default, as long as they need.
   */
  shutdownGraceMs?: number;
};

export type Worker = {
  /** Looks for due jobs, without waiting. */
  wake(): void;
  /** Resolves when no job is running. */
  idle(): Promise<void>;
  /** Starts no more jobs. Resolves once no job is running. */
  stop(): Promise<void>;
};

/**
 * Does due jobs when woken, and continues as long as there are any.
 * @param report receives failures to lease or do a job; a failed job is leased again after its
 * lease has expired
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

/** How often to look for due jobs while slow jobs are running, in milliseconds. */
const glance = 1000;

/**
 * Does all jobs that are due or become due, until there are none. Starts no more after a failure.
 * @param stopping aborted when this instance shuts down; running jobs finish, and no more start
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
