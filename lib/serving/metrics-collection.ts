import type { ServiceSettings } from "@/lib/config/env";
import type { Snapshot } from "@/lib/telemetry/registry";
import { ofDatabase, ofProcess } from "./gauges";

export type Counting = {
  /**
   * @param whole whether to include values that are the same for all processes; undefined if
   * metrics are off
   */
  snapshot?: (whole: boolean) => Promise<Snapshot>;
  stop(): Promise<void>;
};

/**
 * Collect metrics in this process, if METRICS_PORT or OpenTelemetry is set. Otherwise none of this
 * code is loaded.
 * @param first whether this process reports the values that are the same for all
 */
export async function startMetricsCollection(settings: ServiceSettings, first: boolean): Promise<Counting> {
  const otlp = settings.OTEL_EXPORTER_OTLP_ENDPOINT !== undefined;
  if (settings.METRICS_PORT === undefined && !otlp) return { stop: async () => {} };
  const { startMetrics } = await import("@/lib/telemetry/registry");
  const { snapshot, stop } = startMetrics(ofProcess, ofDatabase);
  const stopSending = otlp ? (await import("@/lib/telemetry/otlp")).startOtlp(() => snapshot(first)) : undefined;
  return {
    snapshot,
    stop: async () => {
      await stopSending?.();
      stop();
    },
  };
}
