import { clock } from "@/lib/clock";
import { currentStart, detachedFrom, withOwner } from "@/lib/request-context";
import type { FailureReporter } from "./failure-reporter";
import { every } from "./timer-registry";

/**
 * The options of a worker. Instances divide jobs through the database: while one instance has a
 * valid lease of a job, no other instance can lease it. The statement in `take` decides which jobs
 * come first.
 */
export type WorkerOptions<Job> = {
  /** The maximum number of concurrent jobs on this instance. */
  concurrency: number;
  /** Leases up to `room` due jobs. */
  take(room: number): Promise<readonly Job[]>;
  /**
   * The pause after each lookup, in milliseconds. Jobs that become due during the pause are leased
   * together.
   */
  cooldownMs?: number;
  /**
   * Does a job.
   * @param stopping aborted if the job is still running `shutdownGraceMs` after `stop`
   */
  run(job: Job, stopping: AbortSignal): Promise<unknown>;
  /**
   * Returns the ID of a job's owner. The job's statements then go to the owner's shard, even if the
   * owner moves to another shard while the job runs.
   */
  ownerOf?(job: Job): string;
  /** Renews the leases of running jobs every `every` milliseconds. */
  renew?: { every: number; run(jobs: Job[]): Promise<unknown> };
  /**
   * How long jobs may keep running after `stop`, in milliseconds. By default, there is no limit.
   */
  shutdownGraceMs?: number;
};

export type Worker = {
  /** Starts looking for due jobs, and returns immediately. */
  wake(): void;
  /** Resolves when no job is running. */
  idle(): Promise<void>;
  /** Prevents further jobs from starting. Resolves when no job is running. */
  stop(): Promise<void>;
};

/**
 * Creates a worker. When woken, it does due jobs until there are none left. If it was created in
 * the background work of a shard, its jobs belong to the shard.
 * @param report receives failures to lease or do a job; a failed job is leased again after its
 * lease has expired
 */
export function worker<Job>(work: WorkerOptions<Job>, report: FailureReporter): Worker {
  const underWay = new Map<Job, Promise<void>>();
  const stopping = new AbortController();
  let [stopped, wanted] = [false, false];
  let taking: Promise<void> | undefined;
  const { concurrency, cooldownMs = 0 } = work;
  const start = currentStart();
  const belonging = <T>(run: () => T): T => (start ? detachedFrom(start, run) : run());
  const room = () => concurrency - underWay.size;

  const begin = (job: Job) => {
    const run = () => work.run(job, stopping.signal);
    const done = (work.ownerOf ? withOwner(work.ownerOf(job), run) : run()).then(report.succeeded, report.failed);
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
      if (cooldownMs > 0) await clock.pause(cooldownMs);
    }
  };
  const wake = () => {
    wanted = true;
    if (stopped || taking) return;
    taking = belonging(takeAll)
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
      if (underWay.size > 0) belonging(() => work.renew?.run([...underWay.keys()]).catch(() => {}));
    });

  const idle = async () => {
    while (taking || underWay.size > 0) await Promise.all([taking, ...underWay.values()]);
  };
  const stop = async () => {
    stopped = true;
    const late =
      work.shutdownGraceMs !== undefined ? clock.setTimeout(() => stopping.abort(), work.shutdownGraceMs) : undefined;
    await idle();
    clearTimeout(late);
    stopRenewing?.();
  };
  return { wake, idle, stop };
}

/** The interval at which to look for due jobs while slow jobs are running, in milliseconds. */
const glance = 1000;

/**
 * Does jobs until none is due. After a failure, no more jobs start.
 * @param stopping aborted when this instance shuts down; running jobs finish, and no more start
 * @returns the number of completed jobs, not counting those whose `run` returns false
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
  const glancing = clock.setInterval(round.wake, glance);
  round.wake();
  await round.idle();
  clearInterval(glancing);
  if (failures.length > 0) throw failures[0];
  return count;
}
