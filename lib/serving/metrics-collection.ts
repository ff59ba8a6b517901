import type { ServiceSettings } from "@/lib/config/env";
import type { Snapshot } from "@/lib/telemetry/registry";
import { ofDatabase, ofProcess } from "./gauges";

export type Counting = {
  /** @param whole whether with what is the same for all processes; undefined where nobody asks for numbers */
  snapshot?: (whole: boolean) => Promise<Snapshot>;
  stop(): Promise<void>;
};

/**
 * Count in this process, where METRICS_PORT or OpenTelemetry asks for it. Otherwise nothing of it is even loaded.
 * @param first whether this process tells what is the same for all
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
