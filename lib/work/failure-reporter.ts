import { log } from "@/lib/log";

/** How something goes that is done again and again. */
export type FailureReporter = { failed(error: unknown): void; succeeded(): void };

/** Has the log tell of the first failure, and again only after a success: not every second of an outage. */
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
