import type { z } from "zod";
import { asAppError, SignInAgain } from "@/lib/errors";
import type { Visitor } from "@/lib/owners/attempts";
import { validate } from "@/lib/text/validate";
import { begin } from "./action-call";
import type { SignedIn } from "./auth";
import { visitor } from "./browser";
import { readForm } from "./read-form";
import { type ActionResult, refusal } from "./refusal";
import { requireOwner, signInAgainPath } from "./session";

type Action<T> = (previous: unknown, form: FormData) => Promise<ActionResult<T>>;

/**
 * Join a form to something a signed-in owner does. Nobody signed in is sent to sign in. A refusal (AppError, or the
 * database being away) becomes a message; anything else is thrown.
 */
export const ownerAction =
  <Input, T = undefined>(
    schema: z.ZodType<Input>,
    // biome-ignore lint/suspicious/noConfusingVoidType: most actions return nothing
    run: (owner: SignedIn, input: Input) => Promise<T | void>,
  ): Action<T> =>
  async (_previous, form) => {
    begin(form);
    const owner = await requireOwner();
    return outcome(schema, form, (input) => run(owner, input));
  };

/** The same for somebody who is not signed in: the doors. */
export const visitorAction =
  <Input, T = undefined>(
    schema: z.ZodType<Input>,
    // biome-ignore lint/suspicious/noConfusingVoidType: most actions return nothing
    run: (visitor: Required<Visitor>, input: Input) => Promise<T | void>,
  ): Action<T> =>
  async (_previous, form) => {
    begin(form);
    const who = await visitor();
    return outcome(schema, form, (input) => run(who, input));
  };

async function outcome<Input, T>(
  schema: z.ZodType<Input>,
  form: FormData,
  // biome-ignore lint/suspicious/noConfusingVoidType: see above
  run: (input: Input) => Promise<T | void>,
): Promise<ActionResult<T>> {
  try {
    const value = await run(validate(schema, readForm(schema, form)));
    return value === undefined ? { ok: true } : { ok: true, value };
  } catch (error) {
    const known = asAppError(error);
    if (!known) throw error;
    return known instanceof SignInAgain ? { ...refusal(known), signIn: await signInAgainPath() } : refusal(known);
  }
}
