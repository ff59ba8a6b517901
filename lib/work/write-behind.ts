import { failureReporter } from "./failure-reporter";
import { type Cancel, later } from "./timers";

/** What is noted in memory and written a little later, many at once. */
export type WriteBehind = {
  /** Something was noted, and is to be written. Costs nothing. */
  markDirty(): void;
  /** Write everything noted so far. Never throws. @returns once that is done, and whatever was being written before */
  flush(): Promise<void>;
};

type WriteBehindOptions = {
  /** Milliseconds from the first note to the writing. */
  every: number;
  /** What the log says when `write` failed, once until it succeeds. It is called again then. */
  problem: string;
  /**
   * Writes what is due, never twice at a time. What it could not write it keeps or forgets, as it sees fit.
   * @param all whether that is everything, since the process ends
   * @returns whether something is left to be written later
   */
  write(all: boolean): Promise<boolean>;
};

export function writeBehind({ every, problem, write }: WriteBehindOptions): WriteBehind {
  const report = failureReporter(problem);
  let cancel: Cancel | undefined;
  let writing = Promise.resolve();

  const turn = async (all: boolean) => {
    try {
      if (await write(all)) noted();
      report.succeeded();
    } catch (error) {
      report.failed(error);
      noted();
    }
  };
  const begin = (all: boolean) => {
    cancel?.();
    cancel = undefined;
    writing = writing.then(() => turn(all));
    return writing;
  };
  const noted = () => {
    cancel ??= later(every, () => void begin(false));
  };
  return { markDirty: noted, flush: () => begin(true) };
}
