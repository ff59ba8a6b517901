/*
 * Cross-origin access (Fetch Standard, "CORS protocol") for endpoints that ignore cookies: `/api`,
 * the OAuth endpoints, the discovery documents and the client's files. Owners' pages and actions
 * allow none.
 */

/** Request headers that pages from other origins may set. `*` would not include Authorization. */
const requestHeaders = [
  ...["Accept", "Authorization", "Content-Type", "Countersign-Version", "Idempotency-Key", "Last-Event-ID"],
  ...["MCP-Protocol-Version", "Mcp-Method", "Mcp-Name", "Mcp-Session-Id", "traceparent", "tracestate"],
];

/** Additional response headers that pages from other origins may read. */
const responseHeaders = [
  ...["Allow", "Countersign-Version", "Idempotent-Replayed", "Link", "Location", "MCP-Protocol-Version", "RateLimit"],
  ...["RateLimit-Policy", "Retry-After", "WWW-Authenticate", "X-Request-Id"],
];

/**
 * Response headers that let pages of any origin read a response. They allow no credentials, so
 * browsers send no cookies.
 */
export const cors: Readonly<Record<string, string>> = {
  "access-control-allow-origin": "*",
  "access-control-expose-headers": responseHeaders.join(", "),
};

/** Returns the headers of the response to a preflight request. @param methods like `GET, POST` */
export const preflightHeaders = (methods: string): Record<string, string> => ({
  ...cors,
  "access-control-allow-methods": methods,
  "access-control-allow-headers": requestHeaders.join(", "),
  "access-control-max-age": "86400",
});

/** Returns the response to a preflight request. @param methods like `GET, POST` */
export const preflight = (methods: string): Response =>
  new Response(null, { status: 204, headers: preflightHeaders(methods) });
