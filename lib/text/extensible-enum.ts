import { z } from "zod";

/**
 * An enum in a response that may gain values, which clients must tolerate: OpenAPI says `string`
 * and lists the known values next to it.
 */
export const extensibleEnum = <const T extends string>(words: readonly T[]) =>
  z.enum(words).meta({ [knownWords]: words });

/** The extension that description tools agree on for such enums. */
export const knownWords = "x-extensible-enum";
