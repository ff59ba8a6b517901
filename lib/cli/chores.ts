import { emailOwners } from "@/lib/alerts/email";
import { returnSnoozed } from "@/lib/approvals/desk";
import { commitDue } from "@/lib/approvals/held";
import { sweep } from "@/lib/grants/sweep";
import { log } from "@/lib/log";
import { fileExpired } from "@/lib/notifications/expiry";

/** What every running copy does from time to time. Each must be safe to run on several copies at once. */
const chores: { name: string; everyMs: number; run: () => Promise<unknown> }[] = [
  { name: "sweep", everyMs: 300_000, run: sweep },
  { name: "e-mail", everyMs: 20_000, run: emailOwners },
  { name: "held answers", everyMs: 1000, run: commitDue },
  { name: "snoozed approvals", everyMs: 1000, run: returnSnoozed },
  { name: "file expired notifications", everyMs: 60_000, run: () => fileExpired() },
];

/** Do the chores, each again some time after its last turn ended. @returns how to stop; resolves when none is at work */
export function startChores(): () => Promise<void> {
  const stopped = new AbortController();
  const atWork = new Set<Promise<void>>();
  for (const { name, everyMs, run } of chores) {
    let failing = false;
    const turn = async () => {
      try {
        await run();
        failing = false;
      } catch (error) {
        // Said once, not every second for as long as the database is away.
        if (!failing) log.warn("a chore failed and will be tried again", { chore: name, reason: String(error) });
        failing = true;
      }
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
