import { log } from "@/lib/log";

/** What may go wrong for a while. */
export type Trouble = {
  /** It goes wrong. */
  is(error: unknown): void;
  /** It went well. */
  over(): void;
};

/** Trouble that the log tells of when it begins, and again only after it was over: not every second of an outage. */
export function saidOnce(problem: string, about: object = {}): Trouble {
  let lasting = false;
  return {
    is: (error) => {
      if (!lasting) log.warn(problem, { ...about, reason: String(error) });
      lasting = true;
    },
    over: () => {
      lasting = false;
    },
  };
}
