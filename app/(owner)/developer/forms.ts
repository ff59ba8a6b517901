import { z } from "zod";

const lines = z.string().transform((text) =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean),
);

/** What the developer page's forms carry; what the values may be is decided where they are used. */
export const Registration = z
  .object({ name: z.string(), kind: z.enum(["confidential", "public"]), redirectUris: lines })
  .transform(({ kind, ...rest }) => ({ ...rest, public: kind === "public" }));

export const OneApp = z.object({ clientId: z.string() });
export const Redirects = z.object({ clientId: z.string(), redirectUris: lines });
