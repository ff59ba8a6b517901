import type { Gauge } from "@/lib/telemetry/metrics";
import type { Sql } from "./sql";

/** A gauge without labels that reads one number, never below 0; NULL and no row read as 0. */
export const sqlGauge = (name: string, help: string, number: () => Sql<{ value: number | null }>): Gauge => ({
  name,
  help,
  labels: [],
  read: async () => [[Math.max(0, (await number().row())?.value ?? 0)]],
});
