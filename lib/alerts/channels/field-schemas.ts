import { z } from "zod";
import { refuse } from "@/lib/text/text-schema";
import { addressProblem } from "@/lib/webhooks/check-endpoint-url";

/**
 * Schema of the address of a server that receives messages. The address must be https and public.
 * As for webhooks, the operator's settings can allow other addresses.
 */
export const Address = z.string().trim().check(refuse(addressProblem));

/**
 * Returns the schema of text in another service's format.
 * @param example what to enter, in words for the owner
 */
export const formatted = (format: RegExp, example: string) => z.string().trim().regex(format, example);

/**
 * Schema of another service's secret. It is sent in a header, so it may contain only visible ASCII
 * characters.
 */
export const Token = z
  .string()
  .trim()
  .min(1, "Must not be empty")
  .max(500, "Must be at most 500 characters")
  .regex(/^[\x21-\x7e]+$/, "Must contain only ASCII letters, digits and symbols, and no spaces");
