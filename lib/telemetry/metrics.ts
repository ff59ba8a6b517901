import { processSingleton } from "@/lib/work/process-singleton";

/*
 * What an operator sees in numbers (docs/monitoring.md). Counters and histograms are declared where what they tell of happens, gauges
 * where what they read is kept. Nothing is counted unless METRICS_PORT or OpenTelemetry asks for it; then lib/telemetry/registry.ts
 * keeps the counts, once for Prometheus and OpenTelemetry alike.
 */

/** A name as Prometheus has them, with its unit; one sentence; and what tells its series apart, of which there are never many. */
export type Metric = { readonly name: string; readonly help: string; readonly labels: readonly string[] };

/** What is added up by this process. `buckets` where it is a histogram. */
export type Counted = Metric & { readonly buckets?: readonly number[] };

/** What is read when somebody asks. One that cannot be read has no values then. */
export type Gauge = Metric & { read(): readonly GaugeValue[] | Promise<readonly GaugeValue[]> };
/** The values of its labels in their order, and the number. */
export type GaugeValue = readonly [...labels: string[], value: number];

/** Takes a count, or a value of a histogram. */
export type Meter = (metric: Counted, labels: readonly string[], value: number) => void;

const kept = processSingleton("metrics", () => ({ meter: undefined as Meter | undefined }));

const all = new Map<string, Counted>();
/** Everything that has been declared so far. */
export const declared = (): Iterable<Counted> => all.values();

/** Count from now on; without a meter, no more. */
export const countWith = (meter: Meter | undefined): void => {
  kept().meter = meter;
};

/** Whether anybody wants to know. */
export const isCounting = (): boolean => kept().meter !== undefined;

/** Declare what is counted. @returns counts one, or so many, given the values of its labels */
export function counter(name: string, help: string, ...labels: string[]) {
  const it = declare({ name, help, labels });
  return (values: readonly string[] = [], by = 1): void => kept().meter?.(it, values, by);
}

/** Declare what is measured, in seconds. @returns takes one */
export function histogram(name: string, help: string, buckets: readonly number[], ...labels: string[]) {
  const it = declare({ name, help, labels, buckets });
  return (values: readonly string[], seconds: number): void => kept().meter?.(it, values, seconds);
}

function declare(it: Counted): Counted {
  all.set(it.name, it);
  return it;
}
