import { z } from "zod";
import type { SessionOwner } from "./actor";
import type { AppError } from "./errors";

/** Who is signed in, and in which session. */
export type ActingOwner = SessionOwner & { readonly name: string; readonly email: string; readonly session: string };

/** What an act may know of the request that asks for it. */
export type ActionRequest = {
  address: string;
  /** What the browser says of itself. */
  userAgent: string;
};

/** What a browser keeps from now on in place of what it kept. */
export type BrowserState = {
  /** Another session, of who has just shown who they are; or none. */
  session?: { ownerId: string; sessionVersion: number } | "none";
  /** How its pages look. */
  look?: Record<"theme" | "density" | "motion", string>;
};

/** Something to be shown once and kept nowhere. */
export type OneTimeSecret = {
  title: string;
  /** What there is to copy, by its label. */
  shown: Record<string, string>;
  /** Where to go on; back to the page of the form unless told. */
  onward?: { href: string; label: string };
};

/**
 * One thing a signed-in owner can do on their pages, as a value. Its address (`/acts/{name}`), the forms that may be sent
 * there, what scripts are answered, what the controls may be called and the tests that walk all acts are read from it.
 */
export type OwnerAction<Name extends string = string, Input extends z.ZodType = z.ZodType, Output = unknown> = {
  /** What it is done to, and what is done: "approval.mute". Addresses, forms and controls call it that. */
  name: Name;
  /** Its form, read alike from scripts and from plain forms (`lib/web/read-form.ts`). */
  input: Input;
  /** Whether it takes a sign-in of the last ten minutes, whatever the form says. What only some forms need, `run` decides. */
  fresh?: boolean;
  /** @throws {AppError} with the sentence that the owner reads */
  run(owner: ActingOwner, input: z.output<Input>, visit: ActionRequest): Promise<Output>;
  /** The page to go to afterwards; absent where the page that the form is on shows what has changed. */
  next?(input: z.output<Input>, output: Output): string | undefined;
  /**
   * What of the output that page needs to know, where no script has it: kept in a cookie for some seconds, and so never a
   * secret.
   */
  flash?(output: Output): unknown;
  /** What of the output is a secret, where no script shows it: the answer to the form is then a page that does. */
  secret?(output: Output): OneTimeSecret;
  /**
   * What a refused form leaves where its page is made anew: what is to stand in its fields, never a secret, and the page's
   * address with it, for who has to sign in again first.
   */
  restoreForm?(owner: ActingOwner, form: FormData, why: AppError): { typed: Record<string, string>; page: string };
  /** What the browser keeps of the output, which itself then stays on the server. */
  browserState?(output: Output): BrowserState;
};

/** A field of a form that says yes or no. */
export const yesNo = z.enum(["yes", "no"]).transform((said) => said === "yes");

/** A value that `lib/web/owner-actions.ts` gathers. */
export const ownerAction = <const Name extends string, Input extends z.ZodType, Output>(
  it: OwnerAction<Name, Input, Output>,
): OwnerAction<Name, Input, Output> => it;
