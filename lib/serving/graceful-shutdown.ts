import { clock } from "@/lib/clock";
import type { Snapshot } from "@/lib/telemetry/metrics-registry";

/** The running service. */
export type Serving = {
  /** Returns all metrics, if metrics are on. */
  snapshot?: () => Promise<Snapshot>;
  /** Reports "not ready" but keeps serving, so that load balancers stop sending requests here. */
  markNotReady(): void;
  /** Stops accepting requests, and finishes open ones within seconds. */
  stop(): Promise<void>;
};

/**
 * Shuts down in an order that lets load balancers first stop sending requests.
 * @param delay the number of seconds that load balancers get to notice that the instance is not
 *   ready
 */
export async function shutDown(serving: Serving | undefined, delay: number, say: (line: string) => void) {
  if (serving && delay > 0) {
    say(`Shutting down. Serving requests for another ${delay} s.`);
    serving.markNotReady();
    await clock.pause(delay * 1000);
  }
  say("Stopping. Waiting for requests to finish.");
  await serving?.stop();
}
