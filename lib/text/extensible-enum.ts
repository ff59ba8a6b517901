import { z } from "zod";

/**
 * Returns the schema of an enum in a response that may get more values, which clients must
 * tolerate. OpenAPI declares it as a `string`, and lists the known values separately.
 */
export const extensibleEnum = <const T extends string>(words: readonly T[]) =>
  z.enum(words).meta({ [knownWords]: words });

/** The extension by which OpenAPI tools recognize such enums. */
export const knownWords = "x-extensible-enum";
