import type { Snapshot } from "@/lib/telemetry/registry";

/** What serves, in this process or in several. */
export type Serving = {
  /** What each process has counted by now, where anybody asks for it; the first tells what is the same for all. */
  snapshots?: () => Promise<Snapshot[]>;
  /** Say that it is not ready any more, and serve as before, so that balancers send no more. */
  markNotReady(): void;
  /** Take nothing new, and end what is under way within seconds. */
  stop(): Promise<void>;
};

/**
 * End what serves in the way that load balancers need.
 * @param delay seconds until they have noticed
 */
export async function shutDown(serving: Serving | undefined, delay: number, say: (line: string) => void) {
  if (serving && delay > 0) {
    say(`Not ready any more: serving for ${delay} s`);
    serving.markNotReady();
    await new Promise((resolve) => setTimeout(resolve, delay * 1000));
  }
  say("Stopping: letting requests finish");
  await serving?.stop();
}
