type Same<T> = { underWay: number; next: Next<T> | undefined };
type Next<T> = { promise: Promise<T>; begin: () => void };

/**
 * One result for whoever asks for the same before that has begun. So it is as new for each of them as if they had asked alone.
 * @param atOnce how often the same is under way before those who come wait for an end, all for one
 * @param patience how long they wait for that at most, in milliseconds
 */
export function share<T>(atOnce: number, patience: number): (key: string, work: () => Promise<T>) => Promise<T> {
  const all = new Map<string, Same<T>>();

  const next = (key: string, same: Same<T>, work: () => Promise<T>): Next<T> => {
    let begin = () => {};
    const promise = new Promise<T>((resolve) => {
      let timer: NodeJS.Timeout | undefined;
      begin = () => {
        clearTimeout(timer);
        same.next = undefined;
        same.underWay++;
        resolve(
          work().finally(() => {
            same.underWay--;
            if (same.next) same.next.begin();
            else if (same.underWay === 0) all.delete(key);
          }),
        );
      };
      if (same.underWay >= atOnce) timer = setTimeout(begin, patience).unref();
    });
    return { promise, begin };
  };

  return (key, work) => {
    const same = all.get(key) ?? { underWay: 0, next: undefined };
    all.set(key, same);
    if (same.next) return same.next.promise;
    const it = next(key, same, work);
    same.next = it;
    // Whatever else has come by now shares it too.
    if (same.underWay < atOnce) setImmediate(() => same.next === it && it.begin());
    return it.promise;
  };
}
