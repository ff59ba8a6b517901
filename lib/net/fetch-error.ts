import { FetchRefused } from "./guarded-fetch";

/** What Node.js says of it, in words. Nothing that the receiver wrote. */
const problems: Record<string, string> = {
  ECONNREFUSED: "The connection was refused",
  ECONNRESET: "It hung up before it answered",
  EPIPE: "It hung up before it answered",
  ENOTFOUND: "Its name was not found",
  EAI_AGAIN: "Its name could not be looked up",
  EHOSTUNREACH: "It cannot be reached",
  ENETUNREACH: "It cannot be reached",
  ETIMEDOUT: "It took too long",
  CERT_HAS_EXPIRED: "Its TLS certificate has expired",
};
const saidByUs = ["It took too long", "The address is not public", "The name has no address", "Must be https"];

/** Why a fetch by `guardedFetch` failed, for whoever chose the address: nothing that the other side wrote. */
export function fetchErrorMessage(error: unknown): string {
  if (!(error instanceof FetchRefused)) return "It could not be sent";
  if (saidByUs.includes(error.message) || /^It answered \d+$/.test(error.message)) return error.message;
  const { code = "" } = (error.cause ?? {}) as { code?: string };
  if (problems[code]) return problems[code];
  if (/^(ERR_TLS|ERR_SSL|EPROTO|CERT_|UNABLE_TO|DEPTH_ZERO|SELF_SIGNED)/.test(code))
    return "Its TLS certificate is not valid";
  return code.startsWith("HPE_") ? "Its answer was not HTTP" : "It could not be reached";
}

/** The same of an answer that is no success. */
export function statusMessage(status: number): string {
  if (status === 410) return "It answered 410: gone for good";
  if (status >= 300 && status < 400) return `It answered ${status}: redirects are not followed`;
  return `It answered ${status}`;
}
