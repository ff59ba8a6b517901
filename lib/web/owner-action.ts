import type { z } from "zod";
import { asAppError, type Detail, SignInAgain } from "@/lib/errors";
import type { Visitor } from "@/lib/owners/attempts";
import { problem } from "@/lib/problems";
import { detailsOf } from "@/lib/text/validate";
import { begin } from "./action-call";
import type { SignedIn } from "./auth";
import { visitor } from "./browser";
import { readForm } from "./read-form";
import { currentOwner, requireOwner, signInAgainPath } from "./session";

/**
 * What a form's action answers, for useActionState. `fields` says what is wrong with each, by name or dotted path; `signIn`
 * is where to show once more who one is, when that is all that is missing.
 */
export type ActionResult<T = undefined> = { ok: true; value?: T } | Refused;
type Refused = { ok: false; message: string; fields?: Record<string, string>; signIn?: string };

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

/**
 * The same for a form that the page sends by itself. Next holds its actions back until those before them and the pages being
 * read are done; what an owner decides waits for nothing. 401 for nobody signed in, 503 while the database cannot say.
 */
export const ownerRoute =
  <Input, T = undefined>(
    schema: z.ZodType<Input>,
    // biome-ignore lint/suspicious/noConfusingVoidType: most actions return nothing
    run: (owner: SignedIn, input: Input) => Promise<T | void>,
  ) =>
  async (request: Request): Promise<Response> => {
    const said = (status: number) => new Response(null, { status });
    const owner = await currentOwner().catch((error) => {
      if (asAppError(error)) return undefined;
      throw error;
    });
    if (!owner) return said(owner === null ? 401 : 503);
    const form = await request.formData().catch(() => undefined);
    if (!form) return said(400);
    const result = await outcome(schema, form, (input) => run(owner, input));
    return Response.json(result, { headers: { "cache-control": "no-store" } });
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
  const input = schema.safeParse(readForm(schema, form), { error: problem });
  if (!input.success) {
    return refused(detailsOf(input.error));
  }
  try {
    const value = await run(input.data);
    return value === undefined ? { ok: true } : { ok: true, value };
  } catch (error) {
    const known = asAppError(error);
    if (!known) throw error;
    if (known instanceof SignInAgain) return { ok: false, message: known.message, signIn: await signInAgainPath() };
    return known.details ? refused(known.details) : { ok: false, message: known.message };
  }
}

function refused(details: Detail[]): Refused {
  const fields = Object.fromEntries(details.flatMap(({ path, message }) => (path ? [[path, message]] : [])));
  const message = details[0]?.message ?? "Some fields are not valid";
  return Object.keys(fields).length > 0 ? { ok: false, message, fields } : { ok: false, message };
}
