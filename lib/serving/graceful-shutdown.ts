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
 * Shuts down in an order that suits load balancers.
 * @param delay the seconds after which load balancers have noticed
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
