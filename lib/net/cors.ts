/*
 * Cross-origin access (Fetch Standard, "CORS protocol") for everything that takes a token and never looks at a cookie: `/api`, the
 * OAuth endpoints, the discovery documents and the files of the client. Pages and acts of owners do not use it.
 */

/** Headers of a request that pages from other origins may set. `*` would not include Authorization. */
const requestHeaders = [
  ...["Accept", "Authorization", "Content-Type", "Countersign-Version", "Idempotency-Key", "Last-Event-ID"],
  ...["MCP-Protocol-Version", "Mcp-Method", "Mcp-Name", "Mcp-Session-Id", "traceparent", "tracestate"],
];

/** Headers of a response that pages from other origins may read, besides those that every page may. */
const responseHeaders = [
  ...["Allow", "Countersign-Version", "Idempotent-Replayed", "Link", "Location", "MCP-Protocol-Version", "RateLimit"],
  ...["RateLimit-Policy", "Retry-After", "WWW-Authenticate", "X-Request-Id"],
];

/** Headers of every response that pages from any origin may read. Without credentials: no cookie is sent or looked at. */
export const cors: Readonly<Record<string, string>> = {
  "access-control-allow-origin": "*",
  "access-control-expose-headers": responseHeaders.join(", "),
};

/** Headers of the answer to a preflight request. @param methods as in `GET, POST` */
export const preflightHeaders = (methods: string): Record<string, string> => ({
  ...cors,
  "access-control-allow-methods": methods,
  "access-control-allow-headers": requestHeaders.join(", "),
  "access-control-max-age": "86400",
});

/** The answer to a preflight request. @param methods as in `GET, POST` */
export const preflight = (methods: string): Response =>
  new Response(null, { status: 204, headers: preflightHeaders(methods) });
