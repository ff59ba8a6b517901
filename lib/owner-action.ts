import { z } from "zod";
import type { SessionOwner } from "./actor";
import type { AppError } from "./errors";

/** The signed-in owner and their session. */
export type ActingOwner = SessionOwner & { readonly name: string; readonly email: string; readonly session: string };

/** The parts of the request that an action may read. */
export type ActionRequest = {
  address: string;
  /** The browser's User-Agent. */
  userAgent: string;
};

/** State that the browser replaces from now on. */
export type BrowserState = {
  /** A new session for an owner who just proved their identity, or none. */
  session?: { ownerId: string; sessionVersion: number } | "none";
  /** The pages' appearance. */
  look?: Record<"theme" | "density" | "motion", string>;
};

/** A value shown once and stored nowhere. */
export type OneTimeSecret = {
  title: string;
  /** The values to copy, by label. */
  shown: Record<string, string>;
  /** The next page; by default, the page of the form. */
  onward?: { href: string; label: string };
};

/**
 * One action a signed-in owner can take on their pages, as a value. Its address (`/acts/{name}`),
 * its form, its responses to scripts, the names of its controls and the tests of all actions derive
 * from it.
 */
export type OwnerAction<Name extends string = string, Input extends z.ZodType = z.ZodType, Output = unknown> = {
  /** Subject and verb, like "approval.mute". Addresses, forms and controls use this name. */
  name: Name;
  /** The form's schema, the same for scripts and plain forms (`lib/web/read-form.ts`). */
  input: Input;
  /**
   * Whether every form needs a sign-in within the last ten minutes. If only some do, `run` decides.
   */
  fresh?: boolean;
  /** @throws {AppError} with the message that the owner reads */
  run(owner: ActingOwner, input: z.output<Input>, visit: ActionRequest): Promise<Output>;
  /** The page to open afterwards; if absent, the form's own page shows the change. */
  next?(input: z.output<Input>, output: Output): string | undefined;
  /**
   * The part of the output that the page needs without scripts. It is kept in a cookie for some
   * seconds, so it must not be a secret.
   */
  flash?(output: Output): unknown;
  /**
   * The secret part of the output. Without scripts, the response to the form is a page that shows
   * it.
   */
  secret?(output: Output): OneTimeSecret;
  /**
   * The state of a rejected form when its page is rendered again: values of its fields, never a
   * secret. It includes the page's URL for an owner who must sign in again first.
   */
  restoreForm?(owner: ActingOwner, form: FormData, why: AppError): { typed: Record<string, string>; page: string };
  /** The part of the output that the browser stores. The output itself then stays on the server. */
  browserState?(output: Output): BrowserState;
};

/** A yes-or-no field of a form. */
export const yesNo = z.enum(["yes", "no"]).transform((said) => said === "yes");

/** Declares an action, for `lib/web/owner-actions.ts` to collect. */
export const ownerAction = <const Name extends string, Input extends z.ZodType, Output>(
  it: OwnerAction<Name, Input, Output>,
): OwnerAction<Name, Input, Output> => it;
