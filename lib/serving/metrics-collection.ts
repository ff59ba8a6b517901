import type { ServiceSettings } from "@/lib/config/env";
import type { Snapshot } from "@/lib/telemetry/metrics-registry";
import { gauges } from "./gauges";

/** A running collection of metrics. `snapshot` is undefined if metrics are off. */
type Counting = { snapshot?: () => Promise<Snapshot>; stop(): Promise<void> };

/**
 * Collects metrics, if METRICS_PORT or OpenTelemetry is set. Otherwise, loads none of this code.
 */
export async function startMetricsCollection(settings: ServiceSettings): Promise<Counting> {
  const otlp = settings.OTEL_EXPORTER_OTLP_ENDPOINT !== undefined;
  if (settings.METRICS_PORT === undefined && !otlp) return { stop: async () => {} };
  const { startMetrics } = await import("@/lib/telemetry/metrics-registry");
  const { snapshot, stop } = startMetrics(gauges);
  const stopSending = otlp ? (await import("@/lib/telemetry/otlp-export")).startOtlp(snapshot) : undefined;
  return {
    snapshot,
    stop: async () => {
      await stopSending?.();
      stop();
    },
  };
}
