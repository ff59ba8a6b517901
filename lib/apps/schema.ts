import { z } from "zod";
import { nameProblem } from "./names";
import { redirectProblem } from "./redirects";

/** What owners read when the app asks them something: see names.ts for what it may look like. */
export const AppName = z.string().check((context) => {
  const problem = nameProblem(context.value);
  if (problem) context.issues.push({ code: "custom", message: problem, input: context.value });
});

/** Where the owner's browser may be sent with the answer, each compared exactly; none is fine for personal tokens alone. */
export const RedirectUris = z
  .array(
    z.string().check((context) => {
      const problem = redirectProblem(context.value);
      if (problem) context.issues.push({ code: "custom", message: problem, input: context.value });
    }),
  )
  .max(10, "Must be at most 10 addresses")
  .refine((uris) => new Set(uris).size === uris.length, "Must not name an address twice");

export const NewApp = z.object({
  name: AppName,
  redirectUris: RedirectUris.default([]),
  /** Whether it runs where it cannot keep a secret: a command line, a page, a phone. */
  public: z.boolean().default(false),
});
export type NewApp = z.input<typeof NewApp>;

/**
 * How we know of an app: an owner registered it by hand, it registered itself (RFC 7591), or it is known by the document at
 * the address that is its client_id.
 */
export const AppKind = z.enum(["manual", "dynamic", "metadata"]);
export type AppKind = z.output<typeof AppKind>;

/** An app as its registrar sees it. */
export const RegisteredApp = z.object({
  clientId: z.string(),
  name: z.string(),
  redirectUris: z.array(z.string()),
  public: z.boolean(),
  secretLast4: z.string().optional(),
  /** Epoch milliseconds. */
  createdAt: z.number().int(),
});
export type RegisteredApp = z.output<typeof RegisteredApp>;
