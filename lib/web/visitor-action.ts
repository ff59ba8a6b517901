import type { z } from "zod";
import { asAppError, SignInAgain } from "@/lib/errors";
import type { SignInOrigin } from "@/lib/owners/sign-in-limits";
import { validate } from "@/lib/text/validate";
import { requireFormData } from "./action-form-data";
import { type ActionResult, toActionError } from "./action-result";
import { visitor } from "./browser";
import { readForm } from "./read-form";
import { signInAgainPath } from "./session";

/**
 * Connects a form to a server action of the pages for sign-in, sign-up and confirming one's
 * identity. An AppError, including an unavailable database, becomes a message; anything else is
 * thrown. On their own pages, owners use owner actions instead.
 */
export const visitorAction =
  <Input, T = undefined>(
    schema: z.ZodType<Input>,
    // biome-ignore lint/suspicious/noConfusingVoidType: most actions return nothing
    run: (visitor: Required<SignInOrigin>, input: Input) => Promise<T | void>,
  ) =>
  async (_previous: unknown, form: FormData): Promise<ActionResult<T>> => {
    requireFormData(form);
    try {
      const value = await run(await visitor(), validate(schema, readForm(schema, form)));
      return value === undefined ? { ok: true } : { ok: true, value };
    } catch (error) {
      const known = asAppError(error);
      if (!known) throw error;
      return known instanceof SignInAgain
        ? { ...toActionError(known), signIn: await signInAgainPath() }
        : toActionError(known);
    }
  };
