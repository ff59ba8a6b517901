"use client";
import { useEffect, useRef, useState } from "react";
import { keepTyped, restoreTyped } from "@/components/actions/restore-typed-values";
import { useAction } from "@/components/actions/use-action";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { useHydrated } from "@/components/ui/use-hydrated";
import type { ConsentOffer } from "@/lib/grants/schema";
import { Accounts, Duration, Given } from "./consent-fields";
import type { ConsentReturn } from "./consent-frame";
import { RequestedScopes } from "./requested-scopes";
import { TechnicalNames } from "./technical-scope-names";

type ConsentFormProps = {
  view: ConsentOffer;
  act: "consent.decide" | "consent.decide-device";
  /** The URL to which the decision is posted. */
  url: string;
  fresh: boolean;
  /** Why the form is shown again after it was submitted. */
  back?: ConsentReturn | undefined;
  /** The owner who decides, shown above the decision. */
  signedIn?: React.ReactNode;
};

const reasons: Record<ConsentReturn, string> = {
  empty: "Choose at least one permission, or select “Don’t connect”.",
  changed: "The app changed after this page was shown, so nothing was shared. Review the app, then decide.",
};

/**
 * The requested permissions and the decision, as a plain form. Scripts open the app afterwards,
 * because `form-action` confines the form's redirects to our own origin. Unless the owner signed in
 * recently (`fresh`), a sensitive scope first requires a sign-in, which keeps the selection.
 */
export function ConsentForm({ view, act, url, fresh, back, signedIn }: ConsentFormProps) {
  const form = useRef<HTMLFormElement>(null);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(
    () => new Set(view.requested.filter((it) => it.required || it.grantedAt !== undefined).map(({ scope }) => scope)),
  );
  const { refused, refuse, sending, to } = useDecision(form, { view, act, url, back });
  const alive = useHydrated();
  const armed = useArmed();
  const added = view.requested.filter(({ grantedAt }) => grantedAt === undefined);
  const given = view.requested.filter(({ grantedAt }) => grantedAt !== undefined);
  const boxes = () => boxesOf(form.current);
  const count = () => {
    setChosen(chosenIn(form.current));
    refuse(undefined);
  };
  const set = (scopes: readonly string[], on: boolean) => {
    for (const box of boxes()) if (scopes.includes(box.value) && !box.disabled) box.checked = on;
    count();
  };

  useEffect(() => {
    if (!form.current) return;
    // Browsers also restore checked boxes when the owner navigates back.
    restoreTyped(form.current);
    setChosen(chosenIn(form.current));
  }, []);

  function decide(event: React.SubmitEvent<HTMLFormElement>) {
    const { submitter } = event.nativeEvent;
    const allows = (submitter as HTMLButtonElement | null)?.value === "allow";
    const isEmpty = allows && !boxes().some(({ checked }) => checked);
    if (armed && !sending && !isEmpty) return to.onSubmit(event);
    event.preventDefault();
    if (!armed || sending) return;
    boxes()[0]?.focus();
    refuse(reasons.empty);
  }

  return (
    <form
      ref={form}
      {...to}
      onSubmit={decide}
      className="grid grid-cols-[minmax(0,1fr)] grid-rows-[1fr_auto] gap-4 sm:gap-2"
      aria-label="Permissions"
      data-hears={view.alreadyGranted.some(({ scope }) => scope === "approvals:read") || undefined}
    >
      <input type="hidden" name="csrf" value={view.csrf} />
      <div className="grid content-start gap-4 sm:gap-3">
        <div className={card}>
          {added.length > 0 ? (
            <RequestedScopes
              {...{ added, chosen, fresh, count }}
              isNew={given.length > 0}
              set={alive ? set : undefined}
            />
          ) : (
            <p className="px-4 py-3 font-medium">This app doesn’t request new permissions.</p>
          )}
          <Given view={view} given={given} count={count} />
        </div>
        <div className={card}>
          <Accounts accounts={view.integrations} />
          <Duration endsAt={view.grantExpiresAt} />
        </div>
        <div className={footnote}>
          {signedIn}
          <TechnicalNames scopes={[...view.requested, ...view.alreadyGranted]} label="Details" className="pt-0!" />
        </div>
      </div>
      <div className="sticky bottom-0 -mx-4 grid gap-2 bg-pane px-4 pt-2 pb-[calc(1rem+env(safe-area-inset-bottom))]">
        {refused && !sending ? <Notice tone="danger">{refused}</Notice> : null}
        <div className="arming grid gap-1 sm:grid-cols-[1fr_auto]">
          <Buttons isEmpty={alive && chosen.size === 0} sending={sending} inert={alive && !armed} />
        </div>
      </div>
    </form>
  );
}

const footnote = "flex flex-wrap justify-center gap-x-2 text-center text-xs text-muted max-sm:flex-col";
const card = "divide-y divide-line overflow-clip rounded-xl border border-line bg-raised";

const boxesOf = (form: HTMLFormElement | null) => [
  ...(form?.querySelectorAll<HTMLInputElement>("[name=scope][type=checkbox]") ?? []),
];

const chosenIn = (form: HTMLFormElement | null): ReadonlySet<string> =>
  new Set(boxesOf(form).flatMap(({ checked, value }) => (checked ? [value] : [])));

/** Sends the decision. `refused` explains why the form is still open. */
function useDecision(
  form: React.RefObject<HTMLFormElement | null>,
  { view, act, url, back }: Omit<ConsentFormProps, "fresh" | "signedIn">,
) {
  const [refused, refuse] = useState(back && reasons[back]);
  const { result, pending, to } = useAction(act, view.id, { url, leaves: true });
  // A rejected decision may lead to a page that shows the reason, or to the sign-in page.
  const onward = result && !result.ok ? (result.redirectTo ?? result.signIn) : undefined;
  useEffect(() => {
    if (!result || result.ok) return;
    if (result.signIn && form.current) keepTyped(form.current);
    if (onward) location.assign(onward);
    else refuse(result.message);
  }, [result, onward, form]);
  return { refused, refuse, sending: pending || onward !== undefined, to };
}

type ButtonsProps = { isEmpty: boolean; sending: boolean; inert: boolean };

/**
 * The Connect button comes first, so that Enter never denies access. If nothing is selected, CSS
 * adds a hint to the button's label, even without scripts.
 */
function Buttons({ isEmpty, sending, inert }: ButtonsProps) {
  const state = { pending: sending, ...(inert && { "aria-disabled": true }) };
  return (
    <>
      <Button
        type="submit"
        name="decision"
        value="allow"
        variant="primary"
        size="wide"
        {...state}
        {...(isEmpty && { "aria-disabled": true })}
        className="min-h-13! flex-col gap-0! py-1! leading-tight aria-disabled:opacity-100 unticked:border-edge unticked:bg-raised unticked:text-muted"
      >
        Connect
        <span className="hidden text-xs font-normal unticked:block"> Choose a permission</span>
      </Button>
      <Button
        type="submit"
        name="decision"
        value="deny"
        variant="quiet"
        size="wide"
        {...state}
        className="aria-disabled:opacity-100 sm:w-auto"
      >
        Don’t connect
      </Button>
    </>
  );
}

/** How long the page must be visible before a decision counts, in milliseconds. */
const delay = 500;

/**
 * Whether the page has been visible for half a second. Earlier clicks may have been meant for the
 * previous page. The `arming` style covers the time before scripts run.
 */
function useArmed(): boolean {
  const [armed, setArmed] = useState(false);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    const look = () => {
      clearTimeout(timer);
      setArmed(false);
      if (document.visibilityState !== "visible") return;
      requestAnimationFrame(() => {
        timer = setTimeout(() => setArmed(true), delay);
      });
    };
    look();
    document.addEventListener("visibilitychange", look);
    return () => {
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", look);
    };
  }, []);
  return armed;
}
