/** The caller's trace and span. */
export type TraceContext = { readonly traceId: string; readonly spanId: string; readonly sampled: boolean };

const [noTrace, noSpan] = ["0".repeat(32), "0".repeat(16)];

/**
 * Parses a `traceparent` header (W3C Trace Context, section 3.2). Accepts additional fields of
 * future versions.
 * @returns undefined if the header is missing or invalid
 */
export function readTraceparent(header: unknown): TraceContext | undefined {
  if (typeof header !== "string" || header.length > 512) return undefined;
  const parts = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-[!-~]*)?$/.exec(header);
  const [, version, traceId = "", spanId = "", flags = "", more] = parts ?? [];
  if (!parts || version === "ff" || (version === "00" && more) || more?.includes(",")) return undefined;
  if (traceId === noTrace || spanId === noSpan) return undefined;
  return { traceId, spanId, sampled: (Number.parseInt(flags, 16) & 1) === 1 };
}
