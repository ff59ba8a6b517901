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

/** State that the browser replaces from now on. */
export type BrowserState = {
  /** A new session for an owner who just proved their identity, by default with the password. */
  session?: { ownerId: string; sessionVersion: number; method?: SignInMethod } | "none";
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
 * The feedback that a list gives as soon as the action is sent, and its undo. The list's page sends
 * it to the browser, so it is plain data.
 */
export type Optimistic = {
  /** The fields of the forms it is for; by default, all forms. */
  when?: Record<string, string>;
  /** The view whose rows it removes. Rows stay in other views. */
  leaves?: string;
  /** The row that opens then: any other one, or one of another app. */
  opens?: "another" | "another app";
  /** The toast. `#`: the number of rows, `{app}`: their app, `{until}`: the result of `run`. */
  done: PluralForms;
  /** Begins the message after a failure. */
  failed: string;
  /** The action that undoes it, with the same fields except these. Its own toast then shows. */
  undo?: { act: string; fields?: Record<string, string> };
};

/** A form's fields as sent. */
export type SentFields = Record<string, string | string[]>;

/**
 * One action that a person can take on our pages, as a value. Its address (`/acts/{name}`), its
 * form, its responses to scripts, the names of its controls and the tests of all actions derive
 * from it.
 */
export type Action<
  Name extends string = string,
  Input extends z.ZodType = z.ZodType,
  Output = unknown,
  Person = ActingOwner,
> = {
  /** Subject and verb, like "approval.mute". Addresses, forms and controls use this name. */
  name: Name;
  /** Set if anyone may take it, signed in or not: the form itself proves what it may do. */
  who?: "visitor";
  /** The form's schema, the same for scripts and plain forms (`lib/web/read-form.ts`). */
  input: Input;
  /**
   * Whether every form needs a sign-in within the last ten minutes. If only some do, `run` decides.
   */
  fresh?: boolean;
  /**
   * @param owner null for visitors
   * @throws {AppError} with the message that the person reads
   */
  run(owner: Person, input: z.output<Input>, visit: ActionRequest): Promise<Output>;
  /** Feedback in lists without waiting for the response; the first that fits the form counts. */
  optimistic?: readonly Optimistic[];
  /**
   * The page to open afterwards; if absent, the form's own page shows the change. A URL of another
   * site ends the owner's visit here.
   */
  next?(input: z.output<Input>, output: Output): string | undefined;
  /**
   * The name of the other site that `next` is on, for a form whose page confines redirects to our
   * own (`form-action`). The response is then a page that continues there.
   */
  continuesAt?(output: Output): string;
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
  /** The part of the output that the browser stores. The output itself then stays on the server. */
  browserState?(output: Output): BrowserState;
  /** The form's page, if not the one that the browser sends as the Referer. */
  page?(fields: SentFields): string;
  /** The page that shows this error itself. Others are shown by the form's page. */
  errorPage?(fields: SentFields, error: AppError): string | undefined;
  /** For a form whose page can't show errors without scripts: the page that replaces it. */
  failure?: { title: string; advice: string; signedOut?: string };
  /**
   * The state of a rejected form when its page is rendered again: values of its fields, never a
   * secret. It includes the page's URL for an owner who must sign in again first.
   */
  restoreForm?(owner: Person, form: FormData, why: AppError): { typed: Record<string, string>; page: string };
};

/** The immediate feedback of a domain's actions, by name, for the page that lists their rows. */
export const optimisticParts = (actions: Record<string, Pick<Action, "name" | "optimistic">>): OptimisticParts =>
  Object.fromEntries(
    Object.values(actions).flatMap(({ name, optimistic }) => (optimistic ? [[name, optimistic]] : [])),
  );
export type OptimisticParts = Record<string, readonly Optimistic[]>;

/** A yes-or-no field of a form. */
export const yesNo = z.enum(["yes", "no"]).transform((value) => value === "yes");

/** Declares an owner's action, for `lib/web/actions.ts` to collect. */
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

/** Declares a visitor's action, for `lib/web/actions.ts` to collect. */
export const visitorAction = <const Name extends string, Input extends z.ZodType, Output>(
  it: Action<Name, Input, Output, ActingOwner | null>,
): Action<Name, Input, Output, ActingOwner | null> => ({ ...it, who: "visitor" });
