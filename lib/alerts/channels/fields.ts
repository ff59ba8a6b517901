import { z } from "zod";
import { refuse } from "@/lib/text/text";
import { addressProblem } from "@/lib/webhooks/address";

/**
 * An address that may receive messages, as for webhooks: https and public, unless the operator's
 * settings allow more.
 */
export const Address = z.string().trim().check(refuse(addressProblem));

/** Text in another service's format. @param example what to enter, in words for the owner */
export const formatted = (format: RegExp, example: string) => z.string().trim().regex(format, example);

/** A secret from another service: visible ASCII characters, as headers accept them. */
export const Token = z
  .string()
  .trim()
  .min(1, "Must not be empty")
  .max(500, "Must be at most 500 characters")
  .regex(/^[\x21-\x7e]+$/, "Paste it exactly, without spaces");
