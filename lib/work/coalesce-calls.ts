import { clock } from "@/lib/clock";
import type { Caller } from "./fair-queue";

type Same<T> = { underWay: number; next: Next<T> | undefined };
type Next<T> = { promise: Promise<T>; begin: () => void; callers: (Caller | undefined)[] };
/**
 * Work whose result several callers share.
 * @param callers `destroyed` is true once all of these callers have disconnected
 */
type Work<T> = (callers: Caller) => Promise<T>;

/**
 * Shares one run's result among the callers that ask for a key before the run begins, so that the
 * result is as fresh as that of a separate run.
 * @param concurrency the maximum number of concurrent runs per key; further callers share the next
 * run
 * @param timeoutMs the milliseconds after which the next run begins even if this maximum is reached
 */
export function coalesce<T>(concurrency: number, timeoutMs: number) {
  const known = new Map<string, Same<T>>();

  const next = (key: string, same: Same<T>, work: Work<T>, callers: (Caller | undefined)[]): Next<T> => {
    let begin = () => {};
    const all = {
      get destroyed() {
        return callers.every((caller) => caller?.destroyed);
      },
    };
    const promise = new Promise<T>((resolve) => {
      let timer: NodeJS.Timeout | undefined;
      begin = () => {
        clearTimeout(timer);
        same.next = undefined;
        same.underWay++;
        resolve(
          work(all).finally(() => {
            same.underWay--;
            if (same.next) same.next.begin();
            else if (same.underWay === 0) known.delete(key);
          }),
        );
      };
      if (same.underWay >= concurrency) timer = clock.setTimeout(begin, timeoutMs).unref();
    });
    return { promise, begin, callers };
  };

  return (key: string, work: Work<T>, caller?: Caller): Promise<T> => {
    const same = known.get(key) ?? { underWay: 0, next: undefined };
    known.set(key, same);
    if (same.next) {
      same.next.callers.push(caller);
      return same.next.promise;
    }
    const it = next(key, same, work, [caller]);
    same.next = it;
    // Lets Node first read other requests that have arrived, so that they share the result.
    if (same.underWay < concurrency) setImmediate(() => same.next === it && it.begin());
    return it.promise;
  };
}
