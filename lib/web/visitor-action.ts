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
 * Join a form to a server action of a page where one signs in, signs up or shows once more who one is. A refusal (AppError,
 * or the database being away) becomes a message; anything else is thrown. What owners do on their own pages is an owner act.
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
