import { DataPointType } from "@opentelemetry/sdk-metrics";
import { afterEach, expect, test, vi } from "vitest";
import { counter, countWith, type Gauge, histogram, isCounting } from "./declare-metrics";
import { type Metrics, startMetrics, textOf } from "./metrics-registry";
import { metricData } from "./otlp-metric-format";

let metrics: Metrics | undefined;
afterEach(() => {
  metrics?.stop();
  vi.restoreAllMocks();
});

const cups = counter("test_cups_total", "Cups of tea.", "kind");
const steeping = histogram("test_steeping_seconds", "Time in the pot.", [1, 5], "kind");
const gauge = (name: string, read: Gauge["read"], ...labels: string[]): Gauge => ({ name, help: name, labels, read });

const linesOf = async (of: Metrics, start: string) =>
  (await textOf(await of.snapshot())).split("\n").filter((line) => line.startsWith(start));

test("updates counters only while metrics are turned on", async () => {
  expect(isCounting()).toBe(false);
  cups(["green"], 100);
  metrics = startMetrics([]);
  expect(isCounting()).toBe(true);
  cups(["green"]);
  cups(["green"], 2);
  cups(["black"]);
  // A module that is loaded later may declare another metric.
  counter("test_late_total", "Late.")();
  metrics.stop();
  cups(["green"]);
  expect(await linesOf(metrics, "test_cups_total{")).toEqual([
    'test_cups_total{kind="green"} 3',
    'test_cups_total{kind="black"} 1',
  ]);
  expect(await linesOf(metrics, "test_late_total")).toEqual(["test_late_total 1"]);
});

test("omits a gauge whose reading fails or times out", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const log = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  metrics = startMetrics([
    gauge("test_fine", () => [["a", 1] as const, ["b", 2] as const], "which"),
    gauge("test_none", () => []),
    gauge("test_mean", () => [[Number.NaN]]),
    gauge("test_away", () => Promise.reject(Object.assign(new Error("too many"), { code: "53300" }))),
    gauge("test_wrong", () => Promise.reject(new Error("our fault"))),
    gauge("test_stuck", () => new Promise(() => {})),
  ]);
  const [snapshot] = await Promise.all([metrics.snapshot(), vi.advanceTimersByTimeAsync(60_000)]);
  const asked = textOf(snapshot);
  vi.useRealTimers();
  const samples = (await asked).split("\n").filter((line) => /^test_(fine|none|mean|away|wrong|stuck)/.test(line));
  expect(samples).toEqual(['test_fine{which="a"} 1', 'test_fine{which="b"} 2']);
  // Other tests cover an unavailable database.
  expect(log.mock.calls.map(([line]) => JSON.parse(String(line)))).toEqual([
    expect.objectContaining({ message: "could not read a metric", error: expect.stringContaining("our fault") }),
  ]);
});

test("exports all types of metrics to OpenTelemetry", async () => {
  metrics = startMetrics([gauge("test_depth", () => [["pot", 3]], "of")]);
  cups(["green"], 4);
  for (const seconds of [0.5, 0.6, 3, 9]) steeping(["green"], seconds);
  steeping(["black"], 1);
  const told = metricData(await metrics.snapshot(), 1_700_000_000_250);
  const of = (name: string) => told.find(({ descriptor }) => descriptor.name === name);
  expect(of("test_cups_total")).toMatchObject({
    dataPointType: DataPointType.SUM,
    isMonotonic: true,
    descriptor: { description: "Cups of tea." },
    dataPoints: [{ attributes: { kind: "green" }, value: 4, endTime: [1_700_000_000, 250_000_000] }],
  });
  expect(of("test_depth")).toMatchObject({
    dataPointType: DataPointType.GAUGE,
    dataPoints: [{ attributes: { of: "pot" }, value: 3 }],
  });
  expect(of("test_steeping_seconds")).toMatchObject({
    dataPointType: DataPointType.HISTOGRAM,
    dataPoints: [
      {
        attributes: { kind: "green" },
        value: { count: 4, sum: 13.1, buckets: { boundaries: [1, 5], counts: [2, 1, 1] } },
      },
      {
        attributes: { kind: "black" },
        value: { count: 1, sum: 1, buckets: { boundaries: [1, 5], counts: [1, 0, 0] } },
      },
    ],
  });
  countWith(undefined);
});
