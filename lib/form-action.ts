import { z } from "zod";
import type { SessionOwner, SignInMethod } from "./actor";
import type { AppError } from "./errors";
import type { PluralForms } from "./text/plural";

/** The signed-in owner and their session. */
export type ActingOwner = SessionOwner & {
  readonly name: string;
  readonly email: string;
  readonly session: string;
  readonly method: SignInMethod;
};

/** The parts of the request that an action may read. */
export type ActionRequest = {
  address: string;
  /** The browser's User-Agent. */
  userAgent: string;
  /** The browser's device cookie (`lib/owners/device-cookie.ts`), or "". */
  browser: string;
};

/** Browser state that an action replaces: the session, and the pages' appearance. */
export type BrowserState = {
  /**
   * The session to start for an owner who just proved their identity, or "none" to sign out.
   * Without `method`, the owner used their password.
   */
  session?: { ownerId: string; sessionVersion: number; method?: SignInMethod } | "none";
  /** The pages' appearance. */
  look?: Record<"theme" | "density" | "motion", string>;
};

/** Secret values that a page shows once. */
export type OneTimeSecret = {
  title: string;
  /** The values to copy, by label. */
  shown: Record<string, string>;
  /** The link to the next page; by default, to the form's page. */
  onward?: { href: string; label: string };
};

/**
 * The feedback that a list shows for an action, with its undo. Rows that leave the view disappear
 * immediately. The toast appears with the response, and rows that stay change once the page has
 * reloaded its data. The list's page sends this value to the browser, so it must be plain data.
 */
export type Optimistic = {
  /** Field values that a form must have to get this feedback; by default, any form gets it. */
  when?: Record<string, string>;
  /** The view that the rows leave. Rows in other views stay. */
  leaves?: string;
  /** The row that opens next: any other row, or a row from another app. */
  opens?: "another" | "another app";
  /** The toast. `#`: the number of rows, `{app}`: their app, `{until}`: the result of `run`. */
  done: PluralForms;
  /** The beginning of the error message. */
  failed: string;
  /**
   * The action that undoes this one. It gets the same fields, with the changes in `fields`, and
   * shows its own toast.
   */
  undo?: { act: string; fields?: Record<string, string> };
};

/** A form's fields as sent. */
export type SentFields = Record<string, string | string[]>;

/**
 * An action that a person can take on our pages. Its address (`/acts/{name}`), form, responses to
 * scripts and control names derive from this value, and so do the tests of all actions.
 */
export type Action<
  Name extends string = string,
  Input extends z.ZodType = z.ZodType,
  Output = unknown,
  Person = ActingOwner,
> = {
  /**
   * The action's subject and verb, like "approval.mute". Addresses, forms and controls use this
   * name.
   */
  name: Name;
  /**
   * Whether anyone may take the action, signed in or not. The form itself then proves its sender's
   * permission.
   */
  who?: "visitor";
  /** The form's schema, the same for scripts and plain forms (`lib/web/read-form.ts`). */
  input: Input;
  /**
   * Whether every form of this action needs a sign-in within the last ten minutes. If only some
   * forms need it, `run` decides.
   */
  fresh?: boolean;
  /**
   * Performs the action.
   * @param owner null for visitors
   * @throws {AppError} with a message for the person
   */
  run(owner: Person, input: z.output<Input>, visit: ActionRequest): Promise<Output>;
  /** The feedback in lists. The first entry that matches the form applies. */
  optimistic?: readonly Optimistic[];
  /**
   * The URL to open afterwards, which may be on another site. If absent, the form's own page shows
   * the change.
   */
  next?(input: z.output<Input>, output: Output): string | undefined;
  /**
   * Returns the name of the other site that `next` opens. Some pages restrict form redirects to our
   * own origin (`form-action`). The response to their forms is a page that continues to the other
   * site.
   */
  continuesAt?(output: Output): string;
  /**
   * The part of the output that pages without scripts show. A cookie keeps it for some seconds, so
   * it must not be secret.
   */
  flash?(output: Output): unknown;
  /** The secret part of the output. Without scripts, a page in the response shows it. */
  secret?(output: Output): OneTimeSecret;
  /** The part of the output that the browser stores. The response then omits the output itself. */
  browserState?(output: Output): BrowserState;
  /** The form's page, if it differs from the page that the browser sends as the Referer. */
  page?(fields: SentFields): string;
  /** Returns the page that shows this error. By default, the form's page shows it. */
  errorPage?(fields: SentFields, error: AppError): string | undefined;
  /** The texts of the error page, for a form whose own page can't show errors without scripts. */
  failure?: { title: string; advice: string; signedOut?: string };
  /**
   * Returns the page of a rejected form, and the field values with which the form is rendered
   * again. Must not return a secret: if the owner must first sign in again, the page's URL carries
   * the values.
   */
  restoreForm?(owner: Person, form: FormData, why: AppError): { typed: Record<string, string>; page: string };
};

/** Returns the list feedback of each action that has some, by the action's name. */
export const optimisticParts = (actions: Record<string, Pick<Action, "name" | "optimistic">>): OptimisticParts =>
  Object.fromEntries(
    Object.values(actions).flatMap(({ name, optimistic }) => (optimistic ? [[name, optimistic]] : [])),
  );
export type OptimisticParts = Record<string, readonly Optimistic[]>;

/** Schema of a yes-or-no field in a form. */
export const yesNo = z.enum(["yes", "no"]).transform((value) => value === "yes");

/** Declares an owner's action, for `lib/web/action-registry.ts` to collect. */
export const ownerAction = <const Name extends string, Input extends z.ZodType, Output>(
  it: Action<Name, Input, Output>,
): Action<Name, Input, Output> => it;

/** The input of actions on one record. */
export const ById = z.object({ id: z.string().max(100) });

/** Declares an owner's action on one record that needs nothing but its ID. */
export const actionById = <const Name extends string, Output>(
  name: Name,
  run: (owner: ActingOwner, id: string) => Promise<Output>,
) => ownerAction({ name, input: ById, run: (owner, { id }) => run(owner, id) });

/** Declares a visitor's action, for `lib/web/action-registry.ts` to collect. */
export const visitorAction = <const Name extends string, Input extends z.ZodType, Output>(
  it: Action<Name, Input, Output, ActingOwner | null>,
): Action<Name, Input, Output, ActingOwner | null> => ({ ...it, who: "visitor" });
