import type { Caller } from "./fair-queue";

type Same<T> = { underWay: number; next: Next<T> | undefined };
type Next<T> = { promise: Promise<T>; begin: () => void; callers: (Caller | undefined)[] };
/** @param callers `destroyed` once every caller of the result has hung up */
type Work<T> = (callers: Caller) => Promise<T>;

/**
 * Shares one result among callers that ask for the same key before work on it begins, so each gets
 * a result as fresh as if it had asked alone.
 * @param atOnce how many runs for one key may be under way before further callers wait, all for one
 *   run
 * @param patience how long they wait at most, in milliseconds
 */
export function coalesce<T>(atOnce: number, patience: number) {
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
      if (same.underWay >= atOnce) timer = setTimeout(begin, patience).unref();
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
    // Everything else that has arrived by now shares it.
    if (same.underWay < atOnce) setImmediate(() => same.next === it && it.begin());
    return it.promise;
  };
}
