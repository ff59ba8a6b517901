import { overhear } from "@/lib/events/hub";
import { log } from "@/lib/log";
import { startSending } from "./deliver";
import { fanOut, mostEvents } from "./fan-out";

/** How often a copy looks for what nobody announced to it: retries, and what a copy that was lost left behind. */
const everyMs = 1000;
/** News are gathered for so long after a look, so that a busy copy does not look back to back. */
const gatherMs = 20;
/** How long until the next look for what others' open transactions hold up: soon at first, then less and less often. */
const [soonestMs, latestMs] = [4, 500];

/**
 * Send webhooks for as long as this copy runs: at once for news that begin on it, and every second what else is due.
 * @returns how to stop; resolves when nothing is under way
 */
export function startWebhooks(): () => Promise<void> {
  const sending = startSending();
  let [stopped, failing, wanted] = [false, false, false];
  let working: Promise<void> | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let patience = 0;
  // Fewer after a turn that failed, in case it was too large.
  let events = mostEvents;

  const turn = async () => {
    let again = true;
    while (again && !stopped) {
      wanted = false;
      // What is due is sent also while nothing new can be turned.
      const { more, unsettled, busy } = await fanOut(events).finally(sending.wake);
      events = mostEvents;
      patience = unsettled || busy ? Math.min(latestMs, patience * 2 || soonestMs) : 0;
      failing = false;
      if (!more) await new Promise((resolve) => setTimeout(resolve, gatherMs));
      again = more || wanted;
    }
  };
  const look = () => {
    wanted = true;
    if (stopped || working) return;
    clearTimeout(timer);
    working = turn()
      .catch((error) => {
        // Said once, not every second for as long as the database is away. The log keeps what was not turned.
        if (!failing) log.warn("events were not turned into webhooks; will retry", { reason: String(error) });
        [failing, wanted, patience] = [true, false, 0];
        events = Math.max(1, Math.floor(events / 4));
      })
      .finally(() => {
        working = undefined;
        if (stopped) return;
        timer = setTimeout(look, wanted ? 0 : patience || everyMs);
        timer.unref();
      });
  };
  const deaf = overhear(() => {
    patience = 0;
    look();
  });
  look();
  return async () => {
    stopped = true;
    deaf();
    clearTimeout(timer);
    await working;
    await sending.stop();
  };
}
