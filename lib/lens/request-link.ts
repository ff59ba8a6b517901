import { fromBase64Url, toBase64Url } from "@/lib/client/base64";

/** The part of a lens's URL that contains a signing request. Browsers send it to no server. */
const parameter = "request";

/**
 * Returns the URL that opens a signing request in a lens.
 * @param lens the lens's URL
 * @param request the signing request as text
 */
export const requestLink = (lens: string, request: string): string =>
  `${lens}#${parameter}=${toBase64Url(new TextEncoder().encode(request))}`;

/** Returns the signing request in a URL's fragment, or undefined if it has none. */
export function requestInFragment(fragment: string): string | undefined {
  const encoded = new URLSearchParams(fragment.replace(/^#/, "")).get(parameter);
  const bytes = encoded ? fromBase64Url(encoded) : undefined;
  return bytes && new TextDecoder().decode(bytes);
}

/**
 * Returns the signing request in a text that a person pasted or a camera read: the request, or a
 * link to it.
 */
export function requestInText(text: string): string {
  const trimmed = text.trim();
  const at = trimmed.indexOf("#");
  return (/^[\w-]+:\S+$/.test(trimmed) && at > 0 && requestInFragment(trimmed.slice(at))) || trimmed;
}
