import {
  AggregatorRegistry,
  Counter,
  collectDefaultMetrics,
  Histogram,
  type MetricObjectWithValues,
  type MetricValue,
  Gauge as PromGauge,
  Registry,
} from "prom-client";
import { asAppError } from "@/lib/errors";
import { log } from "@/lib/log";
import { processNumber } from "@/lib/work/process-singleton";
import { type Counted, countWith, declared, type Gauge, type Meter } from "./metrics";

/** What a process knows at one moment, as it travels from one to another. */
export type Snapshot = MetricObjectWithValues<MetricValue<string>>[];

export type Metrics = {
  /** @param whole whether with what all processes and copies would read alike, from the database */
  snapshot(whole: boolean): Promise<Snapshot>;
  stop(): void;
};

/** What a gauge may take; without an answer it has no value in this scrape. */
const patienceMs = 2500;

/**
 * Count from now on, and read gauges when asked.
 * @param own of this process
 * @param shared of the database: one process tells them for all
 */
export function startMetrics(own: readonly Gauge[], shared: readonly Gauge[]): Metrics {
  const [ofProcess, ofDatabase] = [new Registry(), new Registry()];
  if (processNumber !== undefined) ofProcess.setDefaultLabels({ process: String(processNumber) });
  collectDefaultMetrics({ register: ofProcess, eventLoopMonitoringPrecision: 20 });
  // Gauges by the names of counters, which Prometheus's own linter minds.
  for (const what of ["handles", "requests", "resources"]) ofProcess.removeSingleMetric(`nodejs_active_${what}_total`);
  countWith(meterOf(ofProcess));
  for (const gauge of own) register(gauge, ofProcess);
  for (const gauge of shared) register(gauge, ofDatabase);
  return {
    snapshot: async (whole) => {
      const asked = whole ? [ofProcess, ofDatabase] : [ofProcess];
      const all = (await Promise.all(asked.map((registry) => registry.getMetricsAsJSON()))).flat();
      // What is no number, like the mean of nothing, would not arrive from another process as what it is.
      return all.map((it) => ({ ...it, values: it.values.filter(({ value }) => Number.isFinite(value)) }));
    },
    stop: () => countWith(undefined),
  };
}

/** What several processes know as one text in Prometheus's format. Each names itself in what is its own. */
export const textOf = (snapshots: readonly Snapshot[]): Promise<string> =>
  // Nothing is added up: no two have the same labels.
  AggregatorRegistry.aggregate(
    snapshots.map((metrics) => metrics.map((metric) => ({ ...metric, aggregator: "first" }))),
  ).metrics();

export const contentType = Registry.PROMETHEUS_CONTENT_TYPE;

function meterOf(registry: Registry): Meter {
  const made = new Map<string, Counter | Histogram>();
  const make = ({ name, help, labels, buckets }: Counted) => {
    const common = { name, help, labelNames: labels, registers: [registry] };
    const metric = buckets ? new Histogram({ ...common, buckets: [...buckets] }) : new Counter(common);
    made.set(name, metric);
    return metric;
  };
  for (const it of declared()) make(it);
  return (it, values, value) => {
    const labels: Record<string, string> = {};
    for (let at = 0; at < values.length; at++) labels[it.labels[at] as string] = values[at] as string;
    const metric = made.get(it.name) ?? make(it);
    if (metric instanceof Histogram) metric.observe(labels, value);
    else metric.inc(labels, value);
  };
}

function register({ name, help, labels, read }: Gauge, registry: Registry) {
  new PromGauge({
    name,
    help,
    labelNames: [...labels],
    registers: [registry],
    async collect() {
      const values = await inTime(read);
      this.reset();
      // What could not be read is not zero.
      if (labels.length === 0) this.remove();
      for (const value of values) {
        const named = value.slice(0, -1).map((label, at) => [labels[at], label]);
        this.set(Object.fromEntries(named), value.at(-1) as number);
      }
    },
  });
}

async function inTime(read: Gauge["read"]): Promise<Awaited<ReturnType<Gauge["read"]>>> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<[]>((resolve) => (timer = setTimeout(resolve, patienceMs, [])));
  try {
    return await Promise.race([read(), late]);
  } catch (error) {
    // A database that is away shows in the others.
    if (asAppError(error)?.status !== 503) log.error("a metric could not be read", error);
    return [];
  } finally {
    clearTimeout(timer);
  }
}
