import { log } from "@/lib/log";
import { currentStart } from "@/lib/request-context";

/** Records the outcomes of repeated work. */
export type FailureReporter = { failed(error: unknown): void; succeeded(): void };

/**
 * Returns a reporter that logs the first failure, and then only the first failure after each
 * success, so that an outage does not fill the log. In the background work of a shard, the log
 * names the shard.
 */
export function failureReporter(problem: string, about: object = {}): FailureReporter {
  const start = currentStart();
  let lasting = false;
  return {
    failed: (error) => {
      if (!lasting) log.warn(problem, { ...start?.about(), ...about, reason: String(error) });
      lasting = true;
    },
    succeeded: () => {
      lasting = false;
    },
  };
}
