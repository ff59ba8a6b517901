import { z } from "zod";

/** The built-in providers' names, which are reserved. */
const builtIn = ["google", "microsoft", "github", "mail"];
const accessName = /^(mail|calendar|contacts|files|tasks)\.(read|write)$/;
const OidcProvider = z.strictObject({
  /** The provider's ID, used in URLs and as the API's `provider`. */
  id: z
    .string()
    .regex(/^[a-z][a-z0-9-]{0,29}$/)
    .refine((id) => !builtIn.includes(id)),
  name: z.string().min(1).max(40),
  /**
   * The issuer, not the URL of its discovery document. The service derives that URL, and the
   * document must name the issuer.
   */
  issuer: z.string().refine((text) => URL.canParse(text) && !text.includes("/.well-known/")),
  clientId: z.string().min(1),
  clientSecret: z.string().min(1).optional(),
  /** For each access, the scopes that grant it, as in `{"calendar.read": ["cal:r"]}`. */
  scopes: z
    .record(z.string().regex(accessName), z.array(z.string().regex(/^[\x21\x23-\x5b\x5d-\x7e]+$/)).min(1))
    .default({}),
});

/** Providers in addition to the built-in ones, as JSON. */
export const oidcProviders = z.string().transform((text, context) => {
  const problem = (message: string) => {
    context.addIssue({ code: "custom", message });
    return z.NEVER;
  };
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return problem(
      'Must be JSON like [{"id":"corp","name":"Corp","issuer":"https://…","clientId":"…","clientSecret":"…"}]',
    );
  }
  const read = z.array(OidcProvider).max(50).safeParse(json);
  if (!read.success)
    return problem(`Must have a valid value at ${read.error.issues[0]?.path.join(".") || "the top level"}`);
  if (new Set(read.data.map(({ id }) => id)).size < read.data.length)
    return problem("Must have a different ID for each provider");
  return read.data;
});
