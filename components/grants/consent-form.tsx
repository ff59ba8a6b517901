"use client";
import { useEffect, useRef, useState } from "react";
import { keepTyped, restoreTyped } from "@/components/actions/typed-values";
import { useAction } from "@/components/actions/use-action";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { useHydrated } from "@/components/ui/use-hydrated";
import type { ConsentOffer } from "@/lib/grants/schema";
import { plural } from "@/lib/text/plural";
import { Accounts, Duration, Given, Names } from "./consent-fields";
import type { ConsentReturn } from "./consent-frame";
import { RequestedScopes } from "./requested-scopes";

type ConsentFormProps = {
  view: ConsentOffer;
  act: "consent.decide" | "consent.decide-device";
  /** The URL that the decision is posted to. */
  url: string;
  fresh: boolean;
  /** Why the form is shown again after a submission. */
  back?: ConsentReturn | undefined;
};

const reasons: Record<ConsentReturn, string> = {
  empty: "Select what this app may do, then choose Allow. Choose Deny to refuse.",
  changed: "The app changed after this page was shown, so no access was granted. Review the app, then decide.",
};

/**
 * The requested permissions and the decision, as a plain form. Scripts count the selection and open
 * the app, because `form-action` confines a form's redirects to our own origin. Without a `fresh`
 * sign-in, sensitive scopes lead to one, and the selection is restored afterwards. In one column,
 * the app's details go between the two parts (`order-2`).
 */
export function ConsentForm({ view, act, url, fresh, back }: ConsentFormProps) {
  const form = useRef<HTMLFormElement>(null);
  const [ticked, setTicked] = useState(
    view.requested.filter(({ grantedAt, required }) => required || grantedAt !== undefined).length,
  );
  const { refused, refuse, sending, to } = useDecision(form, { view, act, url, back });
  const alive = useHydrated();
  const armed = useArmed();
  const added = view.requested.filter(({ grantedAt }) => grantedAt === undefined);
  const given = view.requested.filter(({ grantedAt }) => grantedAt !== undefined);
  const plain = added.filter(({ sensitive }) => !sensitive);
  const sensitive = added.filter(({ sensitive }) => sensitive);
  const boxes = () => [...(form.current?.querySelectorAll<HTMLInputElement>("[name=scope][type=checkbox]") ?? [])];
  const count = () => {
    setTicked(boxes().filter(({ checked }) => checked).length);
    refuse(undefined);
  };
  const selectAll = () => {
    for (const box of boxes()) if (!("sensitive" in box.dataset)) box.checked = true;
    count();
  };

  useEffect(() => {
    if (!form.current) return;
    // Browsers also restore checked boxes on back navigation.
    restoreTyped(form.current);
    setTicked(form.current.querySelectorAll("[name=scope]:checked").length);
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
      className="contents lg:grid lg:gap-4"
      aria-label="Permissions"
      data-hears={view.alreadyGranted.some(({ scope }) => scope === "approvals:read") || undefined}
    >
      <input type="hidden" name="csrf" value={view.csrf} />
      <div className="order-1 grid gap-3 rounded-xl bg-pane forced-colors:border p-4 sm:px-5">
        {plain.length + sensitive.length > 0 ? (
          <RequestedScopes
            {...{ view, plain, sensitive, fresh, count }}
            isNew={given.length > 0}
            selectAll={alive && plain.filter(({ required }) => !required).length > 1 ? selectAll : undefined}
          />
        ) : (
          <p className="font-semibold">This app isn’t asking for any new permissions.</p>
        )}
        <Given view={view} given={given} count={count} />
        <Accounts accounts={view.integrations} />
        <Duration endsAt={view.grantExpiresAt} />
        <Names view={view} />
      </div>
      <div className="sticky bottom-0 order-3 -mx-4 grid gap-2 border-t border-line bg-bg px-4 pt-3 pb-[calc(0.75rem+env(safe-area-inset-bottom))] sm:mx-0 sm:px-0 lg:border-0 lg:pt-0">
        {refused && !sending ? <Notice tone="danger">{refused}</Notice> : null}
        <div className="arming grid grid-cols-[2fr_1fr] gap-2">
          <Buttons ticked={alive ? ticked : undefined} sending={sending} inert={alive && !armed} />
        </div>
      </div>
    </form>
  );
}

/** Sends the decision. `refused`: why the form is still open. */
function useDecision(
  form: React.RefObject<HTMLFormElement | null>,
  { view, act, url, back }: Omit<ConsentFormProps, "fresh">,
) {
  const [refused, refuse] = useState(back && reasons[back]);
  const { result, pending, to } = useAction(act, view.id, { url, leaves: true });
  // A rejected decision may lead to the page that shows why, or to a sign-in.
  const onward = result && !result.ok ? (result.redirectTo ?? result.signIn) : undefined;
  useEffect(() => {
    if (!result || result.ok) return;
    if (result.signIn && form.current) keepTyped(form.current);
    if (onward) location.assign(onward);
    else refuse(result.message);
  }, [result, onward, form]);
  return { refused, refuse, sending: pending || onward !== undefined, to };
}

/**
 * Allow comes first, so that Enter never denies. With nothing selected, CSS swaps its label for a
 * hint, which works without scripts too.
 */
function Buttons({ ticked, sending, inert }: { ticked: number | undefined; sending: boolean; inert: boolean }) {
  const state = { pending: sending, ...(inert && { "aria-disabled": true, className: "aria-disabled:opacity-100" }) };
  return (
    <>
      <Button
        type="submit"
        name="decision"
        value="allow"
        variant="primary"
        size="wide"
        {...state}
        {...(ticked === 0 && { "aria-disabled": true })}
        className="flex-col gap-0! py-1! leading-tight aria-disabled:opacity-100 unticked:border-edge unticked:bg-raised unticked:text-muted"
      >
        {ticked ? plural(ticked, { one: "Allow # permission", other: "Allow # permissions" }) : "Allow"}
        <span className="hidden text-xs font-normal unticked:block"> Select permissions</span>
      </Button>
      <Button type="submit" name="decision" value="deny" size="wide" {...state}>
        Deny
      </Button>
    </>
  );
}

/** How long a page must be visible before a decision counts, in milliseconds. */
const delay = 500;

/**
 * Whether the page has been visible for half a second. This ignores clicks aimed at the previous
 * page, or made while the page is hidden. (The `arming` style covers the time before scripts run.)
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
