import { z } from "zod";
import { refuse } from "@/lib/text/text";
import { addressProblem } from "@/lib/webhooks/address";

/** An address that we may send to, as for webhooks: https and public, unless the operator lets it be otherwise. */
export const Address = z.string().trim().check(refuse(addressProblem));

/** A secret that another service made: visible characters of ASCII, as headers take them. */
export const Token = z
  .string()
  .trim()
  .min(1, "Must not be empty")
  .max(500, "Must be at most 500 characters")
  .regex(/^[\x21-\x7e]+$/, "Must be copied exactly, without spaces");
