import { emailOwners } from "@/lib/alerts/email";
import { sweep } from "@/lib/grants/sweep";
import { log } from "@/lib/log";

/** What every running copy does from time to time. Each must be safe to run on several copies at once. */
const chores: { name: string; everyMs: number; run: () => Promise<unknown> }[] = [
  { name: "sweep", everyMs: 300_000, run: sweep },
  { name: "e-mail", everyMs: 20_000, run: emailOwners },
];

/** Do the chores, each again some time after its last turn ended. @returns how to stop; resolves when none is at work */
export function startChores(): () => Promise<void> {
  const stopped = new AbortController();
  const atWork = new Set<Promise<void>>();
  for (const { name, everyMs, run } of chores) {
    const turn = async () => {
      await run().catch((error) =>
        log.warn("a chore failed and will be tried again", { chore: name, reason: String(error) }),
      );
      later();
    };
    const later = () => {
      if (stopped.signal.aborted) return;
      setTimeout(() => {
        if (stopped.signal.aborted) return;
        const working: Promise<void> = turn().finally(() => atWork.delete(working));
        atWork.add(working);
      }, everyMs).unref();
    };
    later();
  }
  return async () => {
    stopped.abort();
    await Promise.all(atWork);
  };
}
