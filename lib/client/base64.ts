/** Decodes base64. Returns undefined if the text is invalid. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(text)) return undefined;
  try {
    return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  } catch {
    return undefined;
  }
}

/**
 * Decodes base64url without padding. Returns undefined if the text is invalid or not in canonical
 * form.
 */
export function fromBase64Url(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (!/^[A-Za-z0-9_-]*$/.test(text)) return undefined;
  const bytes = fromBase64(text.replaceAll("-", "+").replaceAll("_", "/"));
  return bytes && toBase64Url(bytes) === text ? bytes : undefined;
}

export const toBase64Url = (bytes: Uint8Array): string =>
  btoa(bytes.reduce((text, byte) => text + String.fromCharCode(byte), ""))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
