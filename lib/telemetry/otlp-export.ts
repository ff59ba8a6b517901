import { randomUUID } from "node:crypto";
import * as otel from "@opentelemetry/api";
import { OTLPMetricExporter } from "@opentelemetry/exporter-metrics-otlp-proto";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-proto";
import { detectResources, envDetector, type Resource, resourceFromAttributes } from "@opentelemetry/resources";
import { PeriodicExportingMetricReader } from "@opentelemetry/sdk-metrics";
import { BasicTracerProvider, BatchSpanProcessor } from "@opentelemetry/sdk-trace-base";
import { clock } from "@/lib/clock";
import { sqlState } from "@/lib/errors";
import { log } from "@/lib/log";
import packageJson from "@/package.json" with { type: "json" };
import type { Snapshot } from "./metrics-registry";
import { metricData } from "./otlp-metric-format";
import { readTraceparent } from "./parse-traceparent";
import { type Tracing, traceWith } from "./tracing";

/** The minimum interval between log lines about failed exports, in milliseconds. */
const tellMs = 60_000;
/** The maximum length of a statement's text in a span, in characters. */
const maxTextLength = 2000;

/**
 * Sends traces and metrics over OTLP, as configured by the standard variables
 * (OTEL_EXPORTER_OTLP_ENDPOINT and others).
 * @returns a function that stops sending, which resolves after the remaining data was sent or timed
 *   out
 */
export function startOtlp(snapshot: () => Promise<Snapshot>): () => Promise<void> {
  tellProblems();
  const resource = resourceFromAttributes({
    "service.name": "countersign",
    "service.version": packageJson.version,
    "service.instance.id": randomUUID(),
  }).merge(detectResources({ detectors: [envDetector] }));
  const stops = [
    ...(process.env.OTEL_TRACES_EXPORTER === "none" ? [] : [startTraces(resource)]),
    ...(process.env.OTEL_METRICS_EXPORTER === "none" ? [] : [startMetrics(resource, snapshot)]),
  ];
  return async () => {
    traceWith(undefined);
    await Promise.allSettled(stops.map((stop) => stop()));
  };
}

function startTraces(resource: Resource) {
  const provider = new BasicTracerProvider({
    resource,
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())],
  });
  traceWith(recording(provider.getTracer("countersign", packageJson.version)));
  return () => provider.shutdown();
}

function startMetrics(resource: Resource, snapshot: () => Promise<Snapshot>) {
  const every = Number(process.env.OTEL_METRIC_EXPORT_INTERVAL) || 60_000;
  const reader = new PeriodicExportingMetricReader({
    exporter: new OTLPMetricExporter(),
    exportIntervalMillis: every,
    exportTimeoutMillis: Math.min(every, 10_000),
  });
  const scope = { name: "countersign", version: packageJson.version };
  reader.setMetricProducer({
    collect: async () => ({
      resourceMetrics: { resource, scopeMetrics: [{ scope, metrics: metricData(await snapshot()) }] },
      errors: [],
    }),
  });
  return () => reader.shutdown();
}

/**
 * Records requests and statements as spans, named according to OpenTelemetry's conventions for HTTP
 * and databases.
 */
function recording(tracer: otel.Tracer): Tracing {
  return {
    request: (traced) => {
      const [method = ""] = traced.route.split(" ", 1);
      const span = tracer.startSpan(
        traced.route,
        { kind: otel.SpanKind.SERVER },
        contextOf(traced.headers.traceparent),
      );
      const context = otel.trace.setSpan(otel.ROOT_CONTEXT, span);
      traced.trace = { id: span.spanContext().traceId, ...(span.isRecording() && { context }) };
      return (status) => {
        const route = traced.route.slice(traced.route.indexOf(" ") + 1);
        const owner = traced.app?.admitted?.ownerId ?? traced.owner;
        const attributes: otel.Attributes = {
          "http.request.method": method,
          "http.route": route,
          "http.response.status_code": status,
          "countersign.request_id": traced.id,
          ...(traced.app?.admitted && { "countersign.app": traced.app.admitted.appId }),
          ...(owner !== undefined && { "countersign.owner": owner }),
        };
        span.updateName(traced.route).setAttributes(attributes);
        if (status >= 500) span.setStatus({ code: otel.SpanStatusCode.ERROR });
        span.end();
      };
    },
    statement: (parent, text) => {
      const name = /\w+/.exec(text)?.[0].toUpperCase() ?? "SQL";
      const attributes = { "db.system.name": "postgresql", "db.query.text": text.slice(0, maxTextLength) };
      const span = tracer.startSpan(name, { kind: otel.SpanKind.CLIENT, attributes }, parent as otel.Context);
      return (error) => end(span, error);
    },
  };
}

function end(span: otel.Span, error: unknown) {
  if (error !== undefined)
    span.setAttribute("error.type", sqlState(error) || "unknown").setStatus({ code: otel.SpanStatusCode.ERROR });
  span.end();
}

/** Returns the caller's span, if the request names one. */
function contextOf(traceparent: unknown): otel.Context {
  const caller = readTraceparent(traceparent);
  if (!caller) return otel.ROOT_CONTEXT;
  const { traceId, spanId, sampled } = caller;
  const traceFlags = sampled ? otel.TraceFlags.SAMPLED : otel.TraceFlags.NONE;
  return otel.trace.setSpanContext(otel.ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true });
}

function tellProblems() {
  let toldAt = Number.NEGATIVE_INFINITY;
  const tell = (...words: unknown[]) => {
    if (clock.elapsed() - toldAt < tellMs) return;
    toldAt = clock.elapsed();
    log.warn("could not send OpenTelemetry data", { reason: words.map(String).join(" ").slice(0, 500) });
  };
  const quiet = () => {};
  otel.diag.setLogger(
    { error: tell, warn: tell, info: quiet, debug: quiet, verbose: quiet },
    { logLevel: otel.DiagLogLevel.WARN, suppressOverrideMessage: true },
  );
}
