import { z } from "zod";

/**
 * An enum in a response that may get more values, which clients must tolerate. OpenAPI declares a
 * `string`, and lists the known values separately.
 */
export const extensibleEnum = <const T extends string>(words: readonly T[]) =>
  z.enum(words).meta({ [knownWords]: words });

/** The extension that OpenAPI tools share for such enums. */
export const knownWords = "x-extensible-enum";
