import type { Entry, History, Moment } from "./history";

/** How often the machine's responsiveness is measured, in milliseconds. */
const tickMs = 50;
/** A timer or a probe that is later than this makes the time not free, in milliseconds. */
const lateMs = 300;

/** Writes a run's history, and measures how much of the time the machine was responsive. */
export type Recorder = {
  history: History;
  now(): Moment;
  add(entry: Entry): void;
  /** Repeats a probe, which any responsive machine answers immediately. */
  probe(work: () => Promise<unknown>): void;
  stop(): void;
};

export function startRecorder(): Recorder {
  const history: History = [];
  const probes = new Set<{ since: number }>();
  const now = () => performance.timeOrigin + performance.now();
  const began = now();
  let [last, free, stopped] = [began, began, false];
  const timer = setInterval(() => {
    const [at, before] = [now(), last];
    last = at;
    const isFree = at - before < tickMs + lateMs && [...probes].every(({ since }) => at - since < lateMs);
    if (isFree) free += at - before;
  }, tickMs);
  const repeat = async (work: () => Promise<unknown>) => {
    while (!stopped) {
      const running = { since: now() };
      probes.add(running);
      // A failed probe is no sign of a busy machine.
      await work().catch(() => {});
      probes.delete(running);
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  };
  return {
    history,
    now: () => ({ at: Math.round(now()), free: Math.round(free) }),
    add: (entry) => void history.push(entry),
    probe: (work) => void repeat(work),
    stop: () => {
      stopped = true;
      clearInterval(timer);
    },
  };
}
