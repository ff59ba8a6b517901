"use client";
import { useEffect, useRef, useState } from "react";
import { readFromTab, saveToTab } from "@/components/actions/tab-storage";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { useHydrated } from "@/components/ui/use-hydrated";
import type { ConsentOffer } from "@/lib/grants/schema";
import { plural } from "@/lib/text/plural";
import { Accounts, Duration, Given, Names } from "./consent-fields";
import { RequestedScopes } from "./requested-scopes";

type ConsentFormProps = {
  view: ConsentOffer;
  /** The URL that the decision is posted to. */
  action: string;
  fresh: boolean;
  /** Why the form is shown again after a submission. */
  back?: Back | undefined;
};

const reasons = {
  empty: "Select what this app may do, then choose Allow. Choose Deny to refuse.",
  changed: "The app changed after this page was shown, so no access was granted. Review the app, then decide.",
};
type Back = keyof typeof reasons;

/**
 * The requested permissions and the decision, as a plain form. Scripts count the selection and open
 * the app, because `form-action` confines a form's redirects to our own origin. Without a `fresh`
 * sign-in, sensitive scopes lead to one, and the selection is restored afterwards. In one column,
 * the app's details go between the two parts (`order-2`).
 */
export function ConsentForm({ view, action, fresh, back }: ConsentFormProps) {
  const form = useRef<HTMLFormElement>(null);
  const [ticked, setTicked] = useState(
    view.requested.filter(({ grantedAt, required }) => required || grantedAt !== undefined).length,
  );
  const [state, setState] = useState<"open" | "sending" | { refused: string }>(
    back ? { refused: reasons[back] } : "open",
  );
  const alive = useHydrated();
  const armed = useArmed();
  const asked = view.requested.filter(({ grantedAt }) => grantedAt === undefined);
  const given = view.requested.filter(({ grantedAt }) => grantedAt !== undefined);
  const plain = asked.filter(({ sensitive }) => !sensitive);
  const sensitive = asked.filter(({ sensitive }) => sensitive);
  const boxes = () => [...(form.current?.querySelectorAll<HTMLInputElement>("[name=scope][type=checkbox]") ?? [])];
  const count = () => {
    setTicked(boxes().filter(({ checked }) => checked).length);
    setState((now) => (now === "sending" ? now : "open"));
  };
  const selectAll = () => {
    for (const box of boxes()) if (!("sensitive" in box.dataset)) box.checked = true;
    count();
  };

  useEffect(() => {
    if (!form.current) return;
    // Browsers also restore checked boxes on back navigation.
    restoreChoices(form.current, view.id);
    setTicked(form.current.querySelectorAll("[name=scope]:checked").length);
  }, [view.id]);

  async function decide(event: React.SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    if (!armed || state === "sending") return;
    const { submitter } = event.nativeEvent;
    if (!boxes().some(({ checked }) => checked) && (submitter as HTMLButtonElement | null)?.value === "allow") {
      boxes()[0]?.focus();
      return setState({ refused: reasons.empty });
    }
    setState("sending");
    setState(await send(event.currentTarget, submitter, view.id));
  }

  return (
    <form
      ref={form}
      action={action}
      method="post"
      onSubmit={decide}
      className="contents lg:grid lg:gap-4"
      aria-label="Permissions"
      data-hears={view.alreadyGranted.some(({ scope }) => scope === "approvals:read") || undefined}
    >
      <input type="hidden" name="csrf" value={view.csrf} />
      <div className="order-1 grid gap-3 rounded-xl border border-line bg-raised p-4 shadow-card sm:px-5">
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
        {typeof state === "object" ? <Notice tone="danger">{state.refused}</Notice> : null}
        <div className="arming grid grid-cols-[2fr_1fr] gap-2">
          <Buttons ticked={alive ? ticked : undefined} sending={state === "sending"} inert={alive && !armed} />
        </div>
      </div>
    </form>
  );
}

type ButtonsProps = { ticked: number | undefined; sending: boolean; inert: boolean };

/**
 * Allow comes first, so that Enter never denies. With nothing selected, CSS swaps its label for a
 * hint, which works without scripts too.
 */
function Buttons({ ticked, sending, inert }: ButtonsProps) {
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

/**
 * Submits the decision and opens the app. Shows an error, or stays pending until the app's page
 * loads.
 */
async function send(
  form: HTMLFormElement,
  submitter: HTMLElement | null,
  id: string,
): Promise<"sending" | { refused: string }> {
  try {
    const body = new FormData(form, submitter);
    const reply = await fetch(form.action, { method: "POST", body, headers: { accept: "application/json" } });
    const answer: { redirectTo?: string; error?: string; signIn?: string; again?: string } = await reply.json();
    if (answer.again) {
      location.assign(answer.again);
      return "sending";
    }
    if (answer.signIn) {
      keepChoices(form, id);
      location.assign(answer.signIn);
      return "sending";
    }
    if (!reply.ok || !answer.redirectTo) return { refused: answer.error ?? "Something went wrong. Try again." };
    location.assign(answer.redirectTo);
    return "sending";
  } catch {
    return { refused: "Couldn’t reach the server. Your decision was not saved. Try again." };
  }
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

/**
 * Stores a consent form's selection in this tab during a fresh sign-in. It never submits a
 * decision.
 */
const keyOf = (id: string) => `countersign-consent-${id}`;

function keepChoices(form: HTMLFormElement, id: string): void {
  const chosen = [...new FormData(form)].filter(([name]) => ["scope", "integration", "days"].includes(name));
  saveToTab(keyOf(id), chosen);
}

/** Restores the stored selection, once. */
function restoreChoices(form: HTMLFormElement, id: string): void {
  const chosen = readFromTab<[string, string][]>(keyOf(id));
  if (!chosen) return;
  saveToTab(keyOf(id), undefined);
  const has = (name: string, value: string) => chosen.some(([its, kept]) => its === name && kept === value);
  for (const box of form.querySelectorAll<HTMLInputElement>("[name=scope][type=checkbox], [name=integration]")) {
    box.checked = has(box.name, box.value);
  }
  const days = form.querySelector<HTMLSelectElement>("[name=days]");
  if (days) days.value = chosen.find(([name]) => name === "days")?.[1] ?? "";
}
