import type { Snapshot } from "@/lib/telemetry/metrics-registry";

/** The running service. */
export type Serving = {
  /** Returns all metrics, if metrics are on. */
  snapshot?: () => Promise<Snapshot>;
  /** Reports not ready while still serving, so that load balancers send no more requests. */
  markNotReady(): void;
  /** Stops accepting requests, and finishes open ones within seconds. */
  stop(): Promise<void>;
};

/**
 * Shuts down in the order that load balancers need.
 * @param delay seconds until load balancers notice
 */
export async function shutDown(serving: Serving | undefined, delay: number, say: (line: string) => void) {
  if (serving && delay > 0) {
    say(`Shutting down. Serving requests for another ${delay} s.`);
    serving.markNotReady();
    await new Promise((resolve) => setTimeout(resolve, delay * 1000));
  }
  say("Stopping. Waiting for requests to finish.");
  await serving?.stop();
}
