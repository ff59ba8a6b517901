/**
 * Finds the secrets that a text contains, plain or encoded: as base64 or base64url (at each of the
 * three offsets), hex, URL, form, JSON or HTML.
 * @returns each found secret's index and encoding, without the secret: "secret 2 as hex"
 */
export function leaked(text: string, secrets: readonly string[]): string[] {
  const lower = text.toLowerCase();
  return secrets.flatMap((secret, at) =>
    Object.entries(formsOf(secret))
      .filter(([, forms]) => forms.some(({ form, anyCase }) => (anyCase ? lower : text).includes(form)))
      .map(([name]) => `secret ${at} as ${name}`),
  );
}

type Form = { form: string; anyCase?: true };

/** The minimum length of a secret in a search, because a shorter one could match by chance. */
const telling = 8;

function formsOf(secret: string): Record<string, Form[]> {
  const bytes = Buffer.from(secret);
  if (bytes.length < telling) throw new Error("Too short to be told from anything else");
  const exactly = (...forms: string[]): Form[] => [...new Set(forms)].map((form) => ({ form }));
  const whole = [0, 1, 2].map((before) => inBase64(bytes, before));
  return {
    plain: exactly(secret),
    hex: [{ form: bytes.toString("hex"), anyCase: true }],
    base64: exactly(...whole),
    base64url: exactly(...whole.map((form) => form.replaceAll("+", "-").replaceAll("/", "_"))),
    "part of an address": [
      ...new Set([encodeURIComponent(secret), `${new URLSearchParams({ a: secret })}`.slice(2)]),
    ].map((form) => ({ form: form.toLowerCase(), anyCase: true })),
    JSON: exactly(JSON.stringify(secret).slice(1, -1), JSON.stringify(JSON.stringify(secret)).slice(3, -3)),
    HTML: exactly(inHtml(secret, "&quot;", "&#x27;"), inHtml(secret, "&#34;", "&#39;")),
  };
}

/**
 * Returns the base64 characters that depend on these bytes alone, given the number of bytes before
 * them.
 */
function inBase64(bytes: Buffer, before: number): string {
  const encoded = Buffer.concat([Buffer.alloc(before), bytes]).toString("base64");
  return encoded.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6));
}

const inHtml = (text: string, quote: string, apostrophe: string) =>
  text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', quote)
    .replaceAll("'", apostrophe);
