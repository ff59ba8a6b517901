import { z } from "zod";

/**
 * One of these words in a reply. Others may be added one day, and a client must not stumble over them: OpenAPI says `string` and
 * lists the known ones beside it.
 */
export const extensibleEnum = <const T extends string>(words: readonly T[]) =>
  z.enum(words).meta({ [knownWords]: words });

/** The name that description tools agree on for words that may become more. */
export const knownWords = "x-extensible-enum";
