import { type HrTime, ValueType } from "@opentelemetry/api";
import { AggregationTemporality, type DataPoint, DataPointType, type MetricData } from "@opentelemetry/sdk-metrics";
import { clock } from "@/lib/clock";
import type { Snapshot } from "./metrics-registry";

type MetricSnapshot = Snapshot[number];
type Value = MetricSnapshot["values"][number] & { metricName?: string };
type HistogramPoint = Extract<MetricData, { dataPointType: DataPointType.HISTOGRAM }>["dataPoints"][number];

/** The time at which counting started. */
const began = timeOf(performance.timeOrigin);

/** Converts Prometheus metrics to OpenTelemetry's format, with the same names and labels. */
export function metricData(snapshot: Snapshot, now = clock.now()): MetricData[] {
  const endTime = timeOf(now);
  return snapshot.filter(({ values }) => values.length > 0).map((metric) => one(metric, endTime));
}

function one(metric: MetricSnapshot, endTime: HrTime): MetricData {
  const descriptor = { name: metric.name, description: metric.help, unit: "", valueType: ValueType.DOUBLE };
  const common = { descriptor, aggregationTemporality: AggregationTemporality.CUMULATIVE };
  const point = <T>(attributes: Value["labels"], value: T): DataPoint<T> => {
    const named = Object.entries(attributes).filter(([, label]) => label !== undefined) as [string, string | number][];
    return { startTime: began, endTime, attributes: Object.fromEntries(named), value };
  };
  // The declared type is an enum, but its values are these strings.
  const kind = String(metric.type);
  if (kind === "histogram")
    return { ...common, dataPointType: DataPointType.HISTOGRAM, dataPoints: histograms(metric.values, point) };
  const dataPoints = metric.values.map(({ labels, value }) => point(labels, value));
  if (kind === "counter") return { ...common, dataPointType: DataPointType.SUM, isMonotonic: true, dataPoints };
  return { ...common, dataPointType: DataPointType.GAUGE, dataPoints };
}

type Point = <T>(attributes: Value["labels"], value: T) => DataPoint<T>;

/**
 * Converts histograms. A Prometheus bucket includes the counts of all lower buckets, but an
 * OpenTelemetry bucket contains only its own.
 */
function histograms(values: readonly Value[], point: Point): HistogramPoint[] {
  const all = new Map<
    string,
    { labels: Value["labels"]; below: [bound: number, count: number][]; sum: number; count: number }
  >();
  for (const { labels, value, metricName = "" } of values) {
    const { le, ...own } = labels as Record<string, string | number>;
    const key = JSON.stringify(own);
    const it = all.get(key) ?? { labels: own, below: [], sum: 0, count: 0 };
    all.set(key, it);
    if (le !== undefined) it.below.push([le === "+Inf" ? Number.POSITIVE_INFINITY : Number(le), value]);
    else if (metricName.endsWith("_sum")) it.sum = value;
    else it.count = value;
  }
  return [...all.values()].map(({ labels, below, sum, count }) => {
    below.sort(([a], [b]) => a - b);
    const counts = below.map(([, value], nth) => value - (below[nth - 1]?.[1] ?? 0));
    const boundaries = below.map(([bound]) => bound).filter(Number.isFinite);
    return point(labels, { buckets: { boundaries, counts }, sum, count });
  });
}

function timeOf(ms: number): HrTime {
  const seconds = Math.floor(ms / 1000);
  return [seconds, Math.round((ms - seconds * 1000) * 1e6)];
}
