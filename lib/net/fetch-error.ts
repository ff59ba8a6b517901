import { FetchRefused } from "./guarded-fetch";

/** Messages by Node.js error code. They contain no text from the receiver. */
const problems: Record<string, string> = {
  ECONNREFUSED: "The server refused the connection",
  ECONNRESET: "The server closed the connection without responding",
  EPIPE: "The server closed the connection without responding",
  ENOTFOUND: "The host name does not exist",
  EAI_AGAIN: "Could not look up the host name",
  EHOSTUNREACH: "Could not connect to the server",
  ENETUNREACH: "Could not connect to the server",
  ETIMEDOUT: "The request timed out",
  CERT_HAS_EXPIRED: "The TLS certificate has expired",
};
const saidByUs = ["The request timed out", "The address is not public", "The host name does not resolve"];

/**
 * Explains why a fetch by `guardedFetch` failed, to the person who entered the URL. The message
 * contains no part of the response.
 */
export function fetchErrorMessage(error: unknown): string {
  if (!(error instanceof FetchRefused)) return "Could not send the request";
  if (error.message === "Must be an https address") return "The address is not an https address";
  if (saidByUs.includes(error.message) || /^The server responded with \d+$/.test(error.message)) return error.message;
  const { code = "" } = (error.cause ?? {}) as { code?: string };
  if (problems[code]) return problems[code];
  if (/^(ERR_TLS|ERR_SSL|EPROTO|CERT_|UNABLE_TO|DEPTH_ZERO|SELF_SIGNED)/.test(code))
    return "The TLS certificate is not valid";
  return code.startsWith("HPE_") ? "The server did not send an HTTP response" : "Could not connect to the server";
}

/** Explains a status other than success, to the person who entered the URL. */
export function statusMessage(status: number): string {
  if (status === 410) return "The server responded with 410 Gone";
  if (status >= 300 && status < 400)
    return `The server responded with ${status}, a redirect that Countersign does not follow`;
  return `The server responded with ${status}`;
}
