import type { Gauge } from "@/lib/telemetry/declare-metrics";
import type { Sql } from "./sql";

/**
 * Returns a gauge without labels that reads one number, never below 0. NULL and a missing row count
 * as 0.
 */
export const sqlGauge = (name: string, help: string, number: () => Sql<{ value: number | null }>): Gauge => ({
  name,
  help,
  labels: [],
  read: async () => [[Math.max(0, (await number().row())?.value ?? 0)]],
});
