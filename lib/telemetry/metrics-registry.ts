import * as prom from "prom-client";
import { clock } from "@/lib/clock";
import { asAppError } from "@/lib/errors";
import { log } from "@/lib/log";
import { type Counted, countWith, declared, type Gauge, type Meter } from "./declare-metrics";

/** The values of all metrics at one moment. */
export type Snapshot = prom.MetricObjectWithValues<prom.MetricValue<string>>[];

export type Metrics = {
  snapshot(): Promise<Snapshot>;
  stop(): void;
};

/**
 * The timeout for reading a gauge, in milliseconds. A gauge that takes longer has no value in this
 * scrape.
 */
const gaugeTimeoutMs = 2500;

/** Starts counting. Gauges are read only on request. */
export function startMetrics(gauges: readonly Gauge[]): Metrics {
  const registry = new prom.Registry();
  prom.collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 20 });
  // Removes these gauges, because they are named like counters, which Prometheus's linter rejects.
  for (const what of ["handles", "requests", "resources"]) registry.removeSingleMetric(`nodejs_active_${what}_total`);
  countWith(meterOf(registry));
  for (const gauge of gauges) register(gauge, registry);
  return {
    snapshot: async () => {
      const all = await registry.getMetricsAsJSON();
      // Omits NaN, such as the mean of no values, because some readers reject it.
      return all.map((it) => ({ ...it, values: it.values.filter(({ value }) => Number.isFinite(value)) }));
    },
    stop: () => countWith(undefined),
  };
}

/** Returns the metrics as text in Prometheus's format. */
export const textOf = (metrics: Snapshot): Promise<string> =>
  prom.AggregatorRegistry.aggregate([metrics.map((metric) => ({ ...metric, aggregator: "first" }))]).metrics();

export const contentType = prom.Registry.PROMETHEUS_CONTENT_TYPE;

function meterOf(registry: prom.Registry): Meter {
  const made = new Map<string, prom.Counter | prom.Histogram>();
  const make = ({ name, help, labels, buckets }: Counted) => {
    const common = { name, help, labelNames: labels, registers: [registry] };
    const metric = buckets ? new prom.Histogram({ ...common, buckets: [...buckets] }) : new prom.Counter(common);
    made.set(name, metric);
    return metric;
  };
  for (const it of declared()) make(it);
  return (counted, values, value) => {
    const labels: Record<string, string> = {};
    for (let index = 0; index < values.length; index++)
      labels[counted.labels[index] as string] = values[index] as string;
    const metric = made.get(counted.name) ?? make(counted);
    if (metric instanceof prom.Histogram) metric.observe(labels, value);
    else metric.inc(labels, value);
  };
}

function register({ name, help, labels, read }: Gauge, registry: prom.Registry) {
  new prom.Gauge({
    name,
    help,
    labelNames: [...labels],
    registers: [registry],
    async collect() {
      const values = await inTime(() => read());
      this.reset();
      // An unknown value must not be reported as zero.
      if (labels.length === 0) this.remove();
      for (const value of values) {
        const named = value.slice(0, -1).map((label, index) => [labels[index], label]);
        this.set(Object.fromEntries(named), value.at(-1) as number);
      }
    },
  });
}

async function inTime(read: Gauge["read"]): Promise<Awaited<ReturnType<Gauge["read"]>>> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<[]>((resolve) => (timer = clock.setTimeout(() => resolve([]), gaugeTimeoutMs)));
  try {
    return await Promise.race([read(), late]);
  } catch (error) {
    // Does not log an unavailable database, because other metrics report it.
    if (asAppError(error)?.status !== 503) log.error("could not read a metric", error);
    return [];
  } finally {
    clearTimeout(timer);
  }
}
