import { processSingleton } from "@/lib/work/process-singleton";

/*
 * The operator's metrics (docs/monitoring.md) must cost nothing when they are off. Counters and
 * histograms are declared next to the code they measure, and gauges next to the state they read.
 * Nothing is counted unless METRICS_PORT or OpenTelemetry is on; lib/telemetry/registry.ts then
 * keeps the values, once for both.
 */

/**
 * A Prometheus name with its unit, one sentence of help, and labels, which never have many values.
 */
export type Metric = { readonly name: string; readonly help: string; readonly labels: readonly string[] };

/** Counted by this process. A histogram has `buckets`. */
export type Counted = Metric & { readonly buckets?: readonly number[] };

/** Read on each scrape. An unreadable gauge has no values. */
export type Gauge = Metric & { read(): readonly GaugeValue[] | Promise<readonly GaugeValue[]> };
/** The values of its labels in order, and the number. */
export type GaugeValue = readonly [...labels: string[], value: number];

/** Accepts a count, or a value of a histogram. */
export type Meter = (metric: Counted, labels: readonly string[], value: number) => void;

const kept = processSingleton("metrics", () => ({ meter: undefined as Meter | undefined }));

const all = new Map<string, Counted>();
/** Everything declared so far. */
export const declared = (): Iterable<Counted> => all.values();

/** Count from now on; without a meter, stop counting. */
export const countWith = (meter: Meter | undefined): void => {
  kept().meter = meter;
};

/** Whether metrics are on. */
export const isCounting = (): boolean => kept().meter !== undefined;

/**
 * Declare a counter. @returns a function that counts one, or a given number, with the values of its
 * labels
 */
export function counter(name: string, help: string, ...labels: string[]) {
  const it = declare({ name, help, labels });
  return (values: readonly string[] = [], amount = 1): void => kept().meter?.(it, values, amount);
}

/** Declare a histogram in seconds. @returns a function that records one value */
export function histogram(name: string, help: string, buckets: readonly number[], ...labels: string[]) {
  const it = declare({ name, help, labels, buckets });
  return (values: readonly string[], seconds: number): void => kept().meter?.(it, values, seconds);
}

function declare(metric: Counted): Counted {
  all.set(metric.name, metric);
  return metric;
}
