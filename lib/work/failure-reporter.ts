import { log } from "@/lib/log";

/** Records the outcomes of repeated work. */
export type FailureReporter = { failed(error: unknown): void; succeeded(): void };

/**
 * Returns a reporter that logs the first failure, and then only the first failure after each
 * success, so that an outage does not fill the log.
 */
export function failureReporter(problem: string, about: object = {}): FailureReporter {
  let lasting = false;
  return {
    failed: (error) => {
      if (!lasting) log.warn(problem, { ...about, reason: String(error) });
      lasting = true;
    },
    succeeded: () => {
      lasting = false;
    },
  };
}
