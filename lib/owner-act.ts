import type { z } from "zod";
import type { SessionOwner } from "./actor";

/**
 * One thing a signed-in owner can do on their pages, as a value. Its address (`/acts/{name}`), the forms that may be sent
 * there, what scripts are answered, what the controls may be called and the tests that walk all acts are read from it.
 */
export type OwnerAct<
  Name extends string = string,
  Input extends z.ZodType = z.ZodType,
  Output = unknown,
  Owner extends SessionOwner = SessionOwner,
> = {
  /** What it is done to, and what is done: "approval.mute". Addresses, forms and controls call it that. */
  name: Name;
  /** Its form, read alike from scripts and from plain forms (`lib/web/read-form.ts`). */
  input: Input;
  /** Whether it takes a sign-in of the last ten minutes, whatever the form says. What only some forms need, `run` decides. */
  fresh?: boolean;
  /** @throws {AppError} with the sentence that the owner reads */
  run(owner: Owner, input: z.output<Input>): Promise<Output>;
  /** The page to go to afterwards; absent where the page that the form is on shows what has changed. */
  next?(input: z.output<Input>, output: Output): string | undefined;
  /**
   * What of the output that page needs to know, where no script has it: kept in a cookie for some seconds, and so never a
   * secret.
   */
  tells?(output: Output): unknown;
};

/** A value that `lib/web/owner-acts.ts` gathers. */
export const ownerAct = <
  const Name extends string,
  Input extends z.ZodType,
  Output,
  Owner extends SessionOwner = SessionOwner,
>(
  it: OwnerAct<Name, Input, Output, Owner>,
): OwnerAct<Name, Input, Output, Owner> => it;
