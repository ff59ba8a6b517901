import { failureReporter } from "./failure-reporter";
import { type Cancel, later } from "./timer-registry";

/** A write-behind buffer, which collects changes in memory and writes them together. */
export type WriteBehind = {
  /** Registers a change that must be written. Sends no query. */
  markDirty(): void;
  /**
   * Writes all pending changes. Resolves once this write and any earlier one are done, and never
   * rejects.
   */
  flush(): Promise<void>;
};

type WriteBehindOptions = {
  /** The milliseconds from the first change to the write. */
  every: number;
  /** The log message for a failed write. It is not repeated until a write succeeds. */
  problem: string;
  /**
   * Writes pending changes. Never called concurrently. Changes that can't be written are kept or
   * dropped.
   * @param all whether to write everything, because the process is ending
   * @returns whether changes are left
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
