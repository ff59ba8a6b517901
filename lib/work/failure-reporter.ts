import { log } from "@/lib/log";

/** Records the outcomes of repeated work. */
export type FailureReporter = { failed(error: unknown): void; succeeded(): void };

/**
 * Logs the first failure, and after that only the first one after a success, so that an outage does
 * not fill the log.
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
