import { processSingleton } from "@/lib/work/process-singleton";

/*
 * The metrics for operators (docs/monitoring.md) must cost nothing while they are off. Counters and
 * histograms are declared next to the code that they measure, and gauges next to the state that
 * they read. If METRICS_PORT or OpenTelemetry is set, lib/telemetry/metrics-registry.ts records the
 * values for both.
 */

/**
 * A metric's Prometheus name with its unit, one sentence of help, and its labels. Each label must
 * have few possible values.
 */
export type Metric = { readonly name: string; readonly help: string; readonly labels: readonly string[] };

/** A metric that this process counts. A histogram has `buckets`. */
export type Counted = Metric & { readonly buckets?: readonly number[] };

/**
 * A metric that is read at each scrape. It has no values if it can't be read.
 *
 * `read` gets the name of the shard that it reads, if the gauge describes each database.
 */
export type Gauge = Metric & { read(shard?: string): readonly GaugeValue[] | Promise<readonly GaugeValue[]> };
/** A number, preceded by the values of its labels in order. The last labels can be absent. */
export type GaugeValue = readonly [...labels: string[], value: number];

/** Records an amount to add to a counter, or a value of a histogram. */
export type Meter = (metric: Counted, labels: readonly string[], value: number) => void;

const kept = processSingleton("metrics", () => ({ meter: undefined as Meter | undefined }));

const all = new Map<string, Counted>();
/** Returns the metrics declared so far. */
export const declared = (): Iterable<Counted> => all.values();

/** Starts recording with this meter, or stops recording if it is undefined. */
export const countWith = (meter: Meter | undefined): void => {
  kept().meter = meter;
};

/** Whether metrics are on. */
export const isCounting = (): boolean => kept().meter !== undefined;

/**
 * Declares a counter.
 * @returns a function that adds one, or a given amount, to the count for these label values
 */
export function counter(name: string, help: string, ...labels: string[]) {
  const it = declare({ name, help, labels });
  return (values: readonly string[] = [], amount = 1): void => kept().meter?.(it, values, amount);
}

/** Declares a histogram in seconds. @returns a function that records one value */
export function histogram(name: string, help: string, buckets: readonly number[], ...labels: string[]) {
  const it = declare({ name, help, labels, buckets });
  return (values: readonly string[], seconds: number): void => kept().meter?.(it, values, seconds);
}

function declare(metric: Counted): Counted {
  all.set(metric.name, metric);
  return metric;
}
