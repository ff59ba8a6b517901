import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { log } from "@/lib/log";
import { failureReporter } from "./failure-reporter";
import { runUntilEmpty, type WorkerOptions, worker } from "./worker";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const pass = (ms = 0) => vi.advanceTimersByTimeAsync(ms);

type Job = { id: number; host: string };
/**
 * Creates jobs like those in a database. Each can be leased once, and ends when the test says so.
 */
function someWork(hosts: string[]) {
  const due: Job[] = hosts.map((host, id) => ({ id, host }));
  const begun: Job[] = [];
  const ends = new Map<number, { well(): void; badly(error: unknown): void }>();
  const work = {
    concurrency: 10,
    take: vi.fn(async (room: number) => {
      const taken = due.slice(0, room);
      for (const job of taken) due.splice(due.indexOf(job), 1);
      return taken;
    }),
    run: vi.fn((job: Job, _stopping: AbortSignal): Promise<unknown> => {
      begun.push(job);
      return new Promise((well, badly) => ends.set(job.id, { well: () => well(undefined), badly }));
    }),
  } satisfies WorkerOptions<Job>;
  return { due, begun, ends, work };
}
const report = () => failureReporter("the work was not done");

test("leases as many jobs as there are free slots", async () => {
  const { begun, ends, work } = someWork(["a", "a", "a", "a", "a"]);
  const { wake, idle } = worker({ ...work, concurrency: 2 }, report());
  wake();
  await pass();
  expect(begun.map(({ id }) => id)).toEqual([0, 1]);
  ends.get(1)?.well();
  await pass();
  expect(begun.map(({ id }) => id)).toEqual([0, 1, 2]);
  const idled = vi.fn();
  void idle().then(idled);
  for (const id of [0, 2, 3, 4]) {
    expect(idled).not.toHaveBeenCalled();
    await pass();
    ends.get(id)?.well();
  }
  await pass();
  expect(idled).toHaveBeenCalledOnce();
  expect(begun).toHaveLength(5);
});

test("runs jobs until no job is due", async () => {
  const { due, begun, work } = someWork(["a"]);
  const { wake } = worker(work, report());
  work.take.mockImplementationOnce(async () => {
    // The job becomes due just after this check.
    wake();
    return [];
  });
  wake();
  await pass();
  expect(begun).toHaveLength(1);
  await pass(60_000);
  expect(work.take).toHaveBeenCalledTimes(3);
  due.push({ id: 9, host: "a" });
  await pass(60_000);
  expect(begun).toHaveLength(1);
  wake();
  await pass();
  expect(begun).toHaveLength(2);
});

test("pauses between queries for due jobs", async () => {
  const { begun, ends, work } = someWork(["a", "a", "a", "a", "a"]);
  const { wake } = worker({ ...work, concurrency: 3, cooldownMs: 5 }, report());
  wake();
  await pass();
  expect(begun).toHaveLength(3);
  for (const id of [0, 1]) ends.get(id)?.well();
  await pass(4);
  expect(work.take).toHaveBeenCalledTimes(1);
  await pass(1);
  expect(work.take).toHaveBeenCalledTimes(2);
  expect(begun).toHaveLength(5);
});

test("renews only the leases of running jobs", async () => {
  const { ends, work } = someWork(["a", "a"]);
  const run = vi.fn(async (_jobs: Job[]) => {
    throw new Error("away");
  });
  const { wake, stop } = worker({ ...work, renew: { every: 1500, run } }, report());
  await pass(1500);
  expect(run).not.toHaveBeenCalled();
  wake();
  await pass(1500);
  expect(run.mock.calls[0]?.[0].map(({ id }) => id)).toEqual([0, 1]);
  ends.get(0)?.well();
  await pass(1500);
  expect(run.mock.calls[1]?.[0].map(({ id }) => id)).toEqual([1]);
  ends.get(1)?.well();
  await stop();
  await pass(5000);
  expect(run).toHaveBeenCalledTimes(2);
});

test("reports repeated failures only once before the next success", async () => {
  const warn = vi.spyOn(log, "warn").mockReturnValue();
  const { due, ends, work } = someWork(["a", "a"]);
  const { wake, idle } = worker(work, report());
  wake();
  await pass();
  for (const id of [0, 1]) ends.get(id)?.badly(new Error("away"));
  work.take.mockRejectedValue(new Error("away still"));
  await idle();
  wake();
  await idle();
  expect(warn.mock.calls).toEqual([["the work was not done", { reason: "Error: away" }]]);
  work.take.mockResolvedValueOnce([{ id: 2, host: "a" }]);
  wake();
  await pass();
  ends.get(2)?.well();
  await idle();
  expect(warn).toHaveBeenCalledTimes(2);
  expect(due).toEqual([]);
});

test("aborts jobs that are still running after the stop's grace period", async () => {
  const { begun, ends, work } = someWork(["a", "a", "a"]);
  const { wake, stop } = worker({ ...work, concurrency: 2, shutdownGraceMs: 5000 }, report());
  wake();
  await pass();
  const stopping = begun.map((_, at) => work.run.mock.calls[at]?.[1]);
  const stopped = vi.fn();
  void stop().then(stopped);
  ends.get(0)?.well();
  await pass(4999);
  expect(stopping.map((signal) => signal?.aborted)).toEqual([false, false]);
  await pass(1);
  expect(stopping.map((signal) => signal?.aborted)).toEqual([true, true]);
  expect(stopped).not.toHaveBeenCalled();
  ends.get(1)?.badly(new Error("broken off"));
  wake();
  await pass(5000);
  expect(stopped).toHaveBeenCalledOnce();
  expect(begun).toHaveLength(2);
});

test("runs jobs that become due while slow jobs are running", async () => {
  const { due, begun, ends, work } = someWork(["slow", "quick"]);
  const done = runUntilEmpty(work);
  await pass();
  expect(begun).toHaveLength(2);
  ends.get(1)?.well();
  await pass();
  due.push({ id: 7, host: "later" });
  await pass(1000);
  expect(begun.map(({ id }) => id)).toEqual([0, 1, 7]);
  ends.get(7)?.well();
  ends.get(0)?.well();
  expect(await done).toBe(3);
});

test("excludes jobs that return false from the job count", async () => {
  const { work } = someWork(["a", "b", "a"]);
  expect(await runUntilEmpty({ ...work, run: async ({ host }) => host === "a" })).toBe(2);
});

test("throws the first failure after all running jobs have ended", async () => {
  const { begun, ends, work } = someWork(["a", "a", "a"]);
  const done = runUntilEmpty({ ...work, concurrency: 2 });
  const thrown = expect(done).rejects.toThrow("away");
  await pass();
  ends.get(0)?.badly(new Error("away"));
  await pass(5000);
  expect(begun).toHaveLength(2);
  ends.get(1)?.badly(new Error("something else"));
  await thrown;
});

test("completes running jobs after a stop signal", async () => {
  const { begun, ends, work } = someWork(["a", "a", "a"]);
  const stopping = new AbortController();
  const done = runUntilEmpty({ ...work, concurrency: 2 }, stopping.signal);
  await pass();
  stopping.abort();
  for (const id of [0, 1]) ends.get(id)?.well();
  expect(await done).toBe(2);
  expect(begun).toHaveLength(2);
});
